import { route } from '../kit/route'
import type { CallCount, LiveCall, LiveCallQuery, Queue, RegisteredUser } from '../shapes/live-call'

/** The bodies that a feature server accepts and returns. Their fields are not typed here. */
type PassThrough = { body: object; response: object }

const calls = '/Accounts/:account_sid/Calls'

/** The calls in progress of an account. */
export const liveCall = {
  list: route<{ query: LiveCallQuery; response: LiveCall[] }>()('GET', calls, 'List the calls in progress'),
  create: route<PassThrough>()('POST', calls, 'Begin a call'),
  read: route<{ response: LiveCall }>()('GET', `${calls}/:call_sid`, 'Read a call in progress'),
  /** `update` and `change` do the same: clients use PUT and POST. */
  update: route<PassThrough>()('PUT', `${calls}/:call_sid`, 'Change a call in progress, or end it', { status: 200 }),
  change: route<PassThrough>()('POST', `${calls}/:call_sid`, 'Change a call in progress, or end it', { status: 200 }),
  forget: route()('DELETE', `${calls}/:call_sid`, 'Forget a call in progress'),
}

/** A Trunkline addition: server capability `live`. The calls in progress of all accounts of a service provider. */
export const liveCallsOfProvider = route<{ query: LiveCallQuery; response: LiveCall[] }>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/Calls',
  'List the calls in progress',
)

export const sendMessage = route<PassThrough>()('POST', '/Accounts/:account_sid/Messages', 'Send a message')

export const listQueues = route<{ query: { search?: string }; response: Queue[] }>()(
  'GET',
  '/Accounts/:account_sid/Queues',
  'List the queues in which calls wait',
)

export const listConferences = route<{ response: string[] }>()(
  'GET',
  '/Accounts/:account_sid/Conferences',
  'List the conferences by name',
)

export const countCalls = route<{ response: CallCount }>()(
  'GET',
  '/Accounts/:account_sid/CallCount',
  'Count the calls in progress',
)

const users = '/Accounts/:account_sid/RegisteredSipUsers'

/** The devices that are registered in the account's SIP realm. */
export const registeredUsers = {
  list: route<{ response: string[] }>()('GET', users, 'List the registered SIP users'),
  /** Describes the users in the body, or all registered users. */
  describe: route<{ body: string[]; response: RegisteredUser[] }>()(
    'POST',
    users,
    'Tell how SIP users are registered',
    {
      status: 200,
    },
  ),
  read: route<{ response: RegisteredUser }>()('GET', `${users}/:user`, 'Tell how a SIP user is registered'),
}
