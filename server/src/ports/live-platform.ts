/** A call in progress, with the fields that the feature server wrote. */
export type LiveCall = Record<string, string>

/** The registration of a SIP client. */
export interface Registration {
  contact?: string | undefined
  protocol?: string | undefined
  sbcAddress?: string | undefined
  proxy?: string | undefined
  /** Milliseconds since 1970. */
  expiryTime?: number | undefined
  allow_direct_app_calling?: boolean | undefined
  allow_direct_queue_calling?: boolean | undefined
  allow_direct_user_calling?: boolean | undefined
}

/** The live state of the voice platform. Throws UnavailableError if the platform does not respond. */
export interface LivePlatform {
  /** URLs of the feature servers, which handle calls; empty without a platform. */
  listFeatureServers(): Promise<string[]>
  /** The calls of one account or of all. Each has an `accountSid`. */
  listCalls(account_sid?: string): Promise<LiveCall[]>
  findCall(account_sid: string, call_sid: string): Promise<LiveCall | undefined>
  /** Removes a call from the list without ending it. Returns whether it was listed. */
  removeCall(account_sid: string, call_sid: string): Promise<boolean>
  /** `search`: a substring of the name, or a pattern with `*`. */
  listQueues(account_sid: string, search?: string): Promise<{ name: string; length: number }[]>
  listConferences(account_sid: string): Promise<string[]>
  countCalls(account_sid: string): Promise<{ inbound: number; outbound: number }>
  /** The registered SIP clients of a realm, as `user@realm`. */
  listRegisteredUsers(realm: string): Promise<string[]>
  /** The registrations of these users, in the same order. */
  findRegistrations(realm: string, users: readonly string[]): Promise<(Registration | undefined)[]>
  close(): void
}

/** Used if no platform is connected. */
export const noPlatform: LivePlatform = {
  listFeatureServers: () => Promise.resolve([]),
  listCalls: () => Promise.resolve([]),
  findCall: () => Promise.resolve(undefined),
  removeCall: () => Promise.resolve(false),
  listQueues: () => Promise.resolve([]),
  listConferences: () => Promise.resolve([]),
  countCalls: () => Promise.resolve({ inbound: 0, outbound: 0 }),
  listRegisteredUsers: () => Promise.resolve([]),
  findRegistrations: (_, users) => Promise.resolve(users.map(() => undefined)),
  close: () => undefined,
}
