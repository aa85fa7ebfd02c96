import { defineRoute } from '../kit/route'
import type { CallCount, CallUsage, LiveCall, LiveCallQuery, Queue, RegisteredUser } from '../shapes/live-call'

/** Bodies that are passed to and from a feature server. Their fields are not typed here. */
type PassThrough = { body: object; response: object }

const callsPath = '/Accounts/:account_sid/Calls'

/** The calls in progress of an account. */
export const liveCall = {
  list: defineRoute<{ query: LiveCallQuery; response: LiveCall[] }>()('GET', callsPath, 'List the calls in progress'),
  create: defineRoute<PassThrough>()('POST', callsPath, 'Start a call'),
  read: defineRoute<{ response: LiveCall }>()('GET', `${callsPath}/:call_sid`, 'Read a call in progress'),
  /** The same as `updateByPost`: some clients use PUT, others POST. */
  update: defineRoute<PassThrough>()('PUT', `${callsPath}/:call_sid`, 'Update or end a call in progress', {
    status: 200,
  }),
  updateByPost: defineRoute<PassThrough>()('POST', `${callsPath}/:call_sid`, 'Update or end a call in progress', {
    status: 200,
  }),
  removeFromList: defineRoute()(
    'DELETE',
    `${callsPath}/:call_sid`,
    'Remove a call from the list of calls in progress, without ending it',
  ),
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
  'List call queues',
)

export const listConferences = defineRoute<{ response: string[] }>()(
  'GET',
  '/Accounts/:account_sid/Conferences',
  'List conference names',
)

export const countCalls = defineRoute<{ response: CallCount }>()(
  'GET',
  '/Accounts/:account_sid/CallCount',
  'Count the calls in progress',
)

type UsageRoute = { response: CallUsage }

const usageSummary = 'Count the calls in progress, and list the limits that they almost reach'

/** Trunkline additions: server capability `home`. */
export const callUsageOfAccount = defineRoute<UsageRoute>()('GET', '/Accounts/:account_sid/CallUsage', usageSummary)
export const callUsageOfProvider = defineRoute<UsageRoute>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/CallUsage',
  usageSummary,
)

const registeredUsersPath = '/Accounts/:account_sid/RegisteredSipUsers'

/** The SIP users that are registered in the account's realm. */
export const registeredUsers = {
  list: defineRoute<{ response: string[] }>()('GET', registeredUsersPath, 'List the registered SIP users'),
  /** For the users in the body, or for all registered users if it is empty. */
  readMany: defineRoute<{ body: string[]; response: RegisteredUser[] }>()(
    'POST',
    registeredUsersPath,
    'Get registration details of SIP users',
    {
      status: 200,
    },
  ),
  read: defineRoute<{ response: RegisteredUser }>()(
    'GET',
    `${registeredUsersPath}/:user`,
    'Get the registration details of a SIP user',
  ),
}
