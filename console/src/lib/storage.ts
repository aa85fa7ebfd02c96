/**
 * The only module that accesses the browser's storage. Every key is declared here, so that the console stores nothing
 * undocumented.
 */

interface StoredValue {
  get: () => string | null
  set: (value: string) => void
  clear: () => void
}

const createStoredValue = (getStorage: () => Storage, key: string): StoredValue => ({
  get: () => getStorage().getItem(key),
  set: (value) => getStorage().setItem(key, value),
  clear: () => getStorage().removeItem(key),
})

const local = () => globalThis.localStorage
const session = () => globalThis.sessionStorage

/**
 * Values in localStorage, which outlive the window. The first names are fixed: users of existing installations already
 * have them in their browsers.
 */
export const localValues = {
  token: createStoredValue(local, 'token'),
  provider: createStoredValue(local, 'activeServiceProvider'),
  accountFilter: createStoredValue(local, 'accountFilter'),
  queryFilter: createStoredValue(local, 'queryFilter'),
  rootDomain: createStoredValue(local, 'root-domain'),
  oauthState: createStoredValue(local, 'oauth-state'),
  pathBeforeOauth: createStoredValue(local, 'location-before-oauth'),
  /** The PKCE verifier of an authorization that an identity provider has not answered yet. */
  oauthVerifier: createStoredValue(local, 'trunkline.oauth-verifier'),
  sidebar: createStoredValue(local, 'trunkline.sidebar'),
  /** The selected columns, by table. */
  columns: createStoredValue(local, 'trunkline.columns'),
  /** Where a call opens in a wide window: 'beside' the list or 'inside' it, below its row. */
  callPlace: createStoredValue(local, 'trunkline.call-place'),
  /** The width of a list beside its open row, in pixels. */
  eventListWidth: createStoredValue(local, 'trunkline.list-width'),
  /** Whether the overview above the calls is collapsed: 'open' or 'folded'. */
  overview: createStoredValue(local, 'trunkline.overview'),
  /** How the overview breaks down the calls: 'failures', 'trunk' or 'account'. */
  overviewBreakdown: createStoredValue(local, 'trunkline.overview-breakdown'),
  /** Whether recordings open with the complete waveform in view: 'whole' or 'zoomed'. */
  playerZoom: createStoredValue(local, 'trunkline.player-zoom'),
  /** 'off' if shortcuts of one character were turned off for this browser. Now each user has a setting. */
  singleKeys: createStoredValue(local, 'trunkline.single-keys'),
  /** The display settings of each user of this browser, as JSON. They survive sign-out. */
  userSettings: createStoredValue(local, 'trunkline.user-settings'),
  /** The records that the user has opened last, as JSON. */
  recentRecords: createStoredValue(local, 'trunkline.recent-records'),
  /** The time up to which the user has seen the alerts. */
  alertsSeen: createStoredValue(local, 'alertsLastViewed'),
} satisfies Record<string, StoredValue>

/** Values in sessionStorage, which end with the window. The forced password change needs the old password again. */
export const sessionValues = {
  userSid: createStoredValue(session, 'user-sid'),
  oldPassword: createStoredValue(session, 'old-password'),
  /** The screen to open after the user has entered an e-mail address. */
  pathAfterEmail: createStoredValue(session, 'after-email'),
  /**
   * The id of a reset link and the session that it opened. The link works only once, and the user may reload the page.
   */
  resetLink: createStoredValue(session, 'reset'),
  /** A registration whose e-mail address is not confirmed yet. */
  registration: createStoredValue(session, 'registration'),
  /** Set once the user has accepted the terms on the screen where a registration starts. */
  acceptedTerms: createStoredValue(session, 'accepted-terms'),
  /** The invite code that the user has entered. Survives the visit of an identity provider. */
  inviteCode: createStoredValue(session, 'invite-code'),
  flash: createStoredValue(session, 'flash'),
  /** The last URL of the area's list, with its page, filters and sort order. */
  lastListUrl: createStoredValue(session, 'list'),
  /** The area that the saved filters belong to. Survives a reload. */
  filterArea: createStoredValue(session, 'area'),
} satisfies Record<string, StoredValue>

/** A message that one screen leaves for the next. */
export interface Flash {
  kind: 'ok' | 'bad'
  text: string
}

/** Leaves a message for the next screen. */
export const setFlash = (text: string, kind: Flash['kind'] = 'bad') => sessionValues.flash.set(`${kind} ${text}`)

/** Returns the message of `setFlash`, and removes it. */
export const takeFlash = (): Flash | undefined => {
  const [, kind, text] = /^(ok|bad) (.+)$/s.exec(sessionValues.flash.get() ?? '') ?? []
  sessionValues.flash.clear()
  return kind && text ? { kind: kind as Flash['kind'], text } : undefined
}

/**
 * These settings survive sign-out: a user of the dark scheme must not get a white page when a session ends, shortcuts
 * that were turned off must not come back, and the screen after the sign-in must be known there.
 */
const lastingKeys = ['trunkline.scheme', 'trunkline.single-keys', 'trunkline.user-settings']

/** Removes everything that a session stored in the browser. */
export const clearStorage = () => {
  const lastingValues = lastingKeys.map((key) => [key, local().getItem(key)] as const)
  local().clear()
  session().clear()
  for (const [key, value] of lastingValues) if (value !== null) local().setItem(key, value)
}

/** Clears the filters that a list keeps while the user visits its forms. */
export const clearSavedFilters = () => {
  localValues.accountFilter.clear()
  localValues.queryFilter.clear()
  sessionValues.lastListUrl.clear()
}

/** Calls `listener` when another window signs in or out. Returns a function that unsubscribes. */
export const subscribeToToken = (listener: () => void) => {
  const handleStorage = (event: StorageEvent) => {
    if (event.key === null || event.key === 'token') listener()
  }
  window.addEventListener('storage', handleStorage)
  return () => window.removeEventListener('storage', handleStorage)
}
