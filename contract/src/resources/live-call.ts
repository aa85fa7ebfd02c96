import { route } from '../kit/route'
import type { CallCount, LiveCall, LiveCallQuery, Queue, RegisteredUser } from '../shapes/live-call'

/** Whatever the platform's servers take; they say what of it is wrong. */
type PassThrough = { body: object; response: object }

const calls = '/Accounts/:account_sid/Calls'

/** The calls of an account that are going on. */
export const liveCall = {
  list: route<{ query: LiveCallQuery; response: LiveCall[] }>()('GET', calls, 'List the calls in progress'),
  create: route<PassThrough>()('POST', calls, 'Begin a call'),
  read: route<{ response: LiveCall }>()('GET', `${calls}/:call_sid`, 'Read a call in progress'),
  /** Both ways are in use. */
  update: route<PassThrough>()('PUT', `${calls}/:call_sid`, 'Change a call in progress, or end it', { status: 200 }),
  change: route<PassThrough>()('POST', `${calls}/:call_sid`, 'Change a call in progress, or end it', { status: 200 }),
  forget: route()('DELETE', `${calls}/:call_sid`, 'Forget a call in progress'),
}

/** Ours, as the ability `live` says: the calls in progress of all accounts of a service provider. */
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

/** The devices that are registered in an account's realm. */
export const registeredUsers = {
  list: route<{ response: string[] }>()('GET', users, 'List the registered SIP users'),
  /** Of the users that are named, or of all that are registered. */
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
