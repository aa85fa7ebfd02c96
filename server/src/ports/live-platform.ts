/** A call in progress, in the words of the server that handles it. */
export type LiveCall = Record<string, string>

/** What a device said when it registered. */
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

/** What the servers that handle calls say of this moment. Throws Unavailable when it does not answer. */
export interface LivePlatform {
  /** Where servers that handle calls are spoken to; none without a platform. */
  callServers(): Promise<string[]>
  /** Of one account, or all; each says its `accountSid`. */
  calls(account_sid?: string): Promise<LiveCall[]>
  call(account_sid: string, call_sid: string): Promise<LiveCall | undefined>
  /** Forgets a call, not more: it goes on. Was it known? */
  forget(account_sid: string, call_sid: string): Promise<boolean>
  /** `search`: a part of the name, or a pattern with `*`. */
  queues(account_sid: string, search?: string): Promise<{ name: string; length: number }[]>
  conferences(account_sid: string): Promise<string[]>
  callCount(account_sid: string): Promise<{ inbound: number; outbound: number }>
  /** The devices that are registered in a realm, as `user@realm`. */
  registered(realm: string): Promise<string[]>
  /** What is known of these users, in their order. */
  registrations(realm: string, users: readonly string[]): Promise<(Registration | undefined)[]>
  close(): void
}

/** Without a platform nothing is going on. */
export const noPlatform: LivePlatform = {
  callServers: () => Promise.resolve([]),
  calls: () => Promise.resolve([]),
  call: () => Promise.resolve(undefined),
  forget: () => Promise.resolve(false),
  queues: () => Promise.resolve([]),
  conferences: () => Promise.resolve([]),
  callCount: () => Promise.resolve({ inbound: 0, outbound: 0 }),
  registered: () => Promise.resolve([]),
  registrations: (_, users) => Promise.resolve(users.map(() => undefined)),
  close: () => undefined,
}
