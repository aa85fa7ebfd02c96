/**
 * The only module that accesses the browser's storage. Every key is declared here, so that the console stores nothing
 * undocumented.
 */

interface Slot {
  get: () => string | null
  set: (value: string) => void
  clear: () => void
}

const slot = (area: () => Storage, key: string): Slot => ({
  get: () => area().getItem(key),
  set: (value) => area().setItem(key, value),
  clear: () => area().removeItem(key),
})

const local = () => globalThis.localStorage
const session = () => globalThis.sessionStorage

/**
 * Values in localStorage, which outlive the window. The first names are fixed: users of existing installations already
 * have them in their browsers.
 */
export const localValues = {
  token: slot(local, 'token'),
  provider: slot(local, 'activeServiceProvider'),
  accountFilter: slot(local, 'accountFilter'),
  queryFilter: slot(local, 'queryFilter'),
  rootDomain: slot(local, 'root-domain'),
  oauthState: slot(local, 'oauth-state'),
  beforeOauth: slot(local, 'location-before-oauth'),
  sidebar: slot(local, 'trunkline.sidebar'),
  /** The selected columns, by table. */
  columns: slot(local, 'trunkline.columns'),
  /** Whether the overview above the calls is collapsed: 'open' or 'folded'. */
  overview: slot(local, 'trunkline.overview'),
  /** How the overview breaks down the calls: 'failures', 'trunk' or 'account'. */
  overviewBreakdown: slot(local, 'trunkline.overview-breakdown'),
  /** Whether recordings open with the complete waveform in view: 'whole' or 'zoomed'. */
  playerZoom: slot(local, 'trunkline.player-zoom'),
  /** The time up to which the user has seen the alerts. */
  alertsSeen: slot(local, 'alertsLastViewed'),
} satisfies Record<string, Slot>

/** Values in sessionStorage, which end with the window. The forced password change needs the old password again. */
export const sessionValues = {
  userSid: slot(session, 'user-sid'),
  oldPassword: slot(session, 'old-password'),
  /** The page to open after the user has entered an e-mail address. */
  afterEmail: slot(session, 'after-email'),
  /**
   * The id of a reset link and the session that it opened. The link works only once, and the user may reload the page.
   */
  reset: slot(session, 'reset'),
  flash: slot(session, 'flash'),
  /** The last URL of the area's list, with its page, filters and sort order. */
  list: slot(session, 'list'),
  /** The area that the saved filters belong to. Survives a reload. */
  area: slot(session, 'area'),
} satisfies Record<string, Slot>

/** Leaves a message for the next page. */
export const setFlash = (text: string) => sessionValues.flash.set(text)

/** Returns the message that `leaveFlash` left, and removes it. */
export const takeFlash = (): string | null => {
  const left = sessionValues.flash.get()
  sessionValues.flash.clear()
  return left
}

/** The colour scheme survives sign-out: a user of the dark scheme must not get a white page when a session ends. */
const schemeKey = 'trunkline.scheme'

/** Removes everything that a session stored in the browser. */
export const clearStorage = () => {
  const scheme = local().getItem(schemeKey)
  local().clear()
  session().clear()
  if (scheme !== null) local().setItem(schemeKey, scheme)
}

/** Clears the filters that a list keeps while the user visits its forms. */
export const clearSavedFilters = () => {
  localValues.accountFilter.clear()
  localValues.queryFilter.clear()
  sessionValues.list.clear()
}

/** Calls `tell` when another window signs in or out. */
export const subscribeToToken = (tell: () => void) => {
  const hear = (event: StorageEvent) => {
    if (event.key === null || event.key === 'token') tell()
  }
  window.addEventListener('storage', hear)
  return () => window.removeEventListener('storage', hear)
}
