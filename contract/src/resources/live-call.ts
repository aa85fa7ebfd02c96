import { defineRoute } from '../kit/route'
import type { CallCount, LiveCall, LiveCallQuery, Queue, RegisteredUser } from '../shapes/live-call'

/** The bodies that a feature server accepts and returns. Their fields are not typed here. */
type PassThrough = { body: object; response: object }

const callsPath = '/Accounts/:account_sid/Calls'

/** The calls in progress of an account. */
export const liveCall = {
  list: defineRoute<{ query: LiveCallQuery; response: LiveCall[] }>()('GET', callsPath, 'List the calls in progress'),
  create: defineRoute<PassThrough>()('POST', callsPath, 'Begin a call'),
  read: defineRoute<{ response: LiveCall }>()('GET', `${callsPath}/:call_sid`, 'Read a call in progress'),
  /** `update` and `change` do the same: clients use PUT and POST. */
  update: defineRoute<PassThrough>()('PUT', `${callsPath}/:call_sid`, 'Change a call in progress, or end it', {
    status: 200,
  }),
  change: defineRoute<PassThrough>()('POST', `${callsPath}/:call_sid`, 'Change a call in progress, or end it', {
    status: 200,
  }),
  forget: defineRoute()('DELETE', `${callsPath}/:call_sid`, 'Forget a call in progress'),
}

/** A Trunkline addition: server capability `live`. The calls in progress of all accounts of a service provider. */
export const liveCallsOfProvider = defineRoute<{ query: LiveCallQuery; response: LiveCall[] }>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/Calls',
  'List the calls in progress',
)

export const sendMessage = defineRoute<PassThrough>()('POST', '/Accounts/:account_sid/Messages', 'Send a message')

export const listQueues = defineRoute<{ query: { search?: string }; response: Queue[] }>()(
  'GET',
  '/Accounts/:account_sid/Queues',
  'List the queues in which calls wait',
)

export const listConferences = defineRoute<{ response: string[] }>()(
  'GET',
  '/Accounts/:account_sid/Conferences',
  'List the conferences by name',
)

export const countCalls = defineRoute<{ response: CallCount }>()(
  'GET',
  '/Accounts/:account_sid/CallCount',
  'Count the calls in progress',
)

const registeredUsersPath = '/Accounts/:account_sid/RegisteredSipUsers'

/** The devices that are registered in the account's SIP realm. */
export const registeredUsers = {
  list: defineRoute<{ response: string[] }>()('GET', registeredUsersPath, 'List the registered SIP users'),
  /** Describes the users in the body, or all registered users. */
  describe: defineRoute<{ body: string[]; response: RegisteredUser[] }>()(
    'POST',
    registeredUsersPath,
    'Tell how SIP users are registered',
    {
      status: 200,
    },
  ),
  read: defineRoute<{ response: RegisteredUser }>()(
    'GET',
    `${registeredUsersPath}/:user`,
    'Tell how a SIP user is registered',
  ),
}
