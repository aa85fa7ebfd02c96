/** The one door to the browser's storage. Every key has a name here, so that nothing is kept that nobody knows of. */

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

/** What outlives the window. The first names are those that an operator's users may already have in their browsers. */
export const kept = {
  token: slot(local, 'token'),
  provider: slot(local, 'activeServiceProvider'),
  accountFilter: slot(local, 'accountFilter'),
  queryFilter: slot(local, 'queryFilter'),
  rootDomain: slot(local, 'root-domain'),
  oauthState: slot(local, 'oauth-state'),
  beforeOauth: slot(local, 'location-before-oauth'),
  sidebar: slot(local, 'trunkline.sidebar'),
  /** The columns that somebody has chosen, by table. */
  columns: slot(local, 'trunkline.columns'),
  /** Whether the overview above the calls is folded away; 'open' or 'folded'. */
  overview: slot(local, 'trunkline.overview'),
  /** What the calls of the overview are broken down by: 'failures', 'trunk' or 'account'. */
  overviewBreakdown: slot(local, 'trunkline.overview-breakdown'),
  /** Whether recordings open with the whole waveform in view; 'whole' or 'zoomed'. */
  playerZoom: slot(local, 'trunkline.player-zoom'),
  /** When the alerts were last looked at. */
  alertsSeen: slot(local, 'alertsLastViewed'),
} satisfies Record<string, Slot>

/** What ends with the window: the forced change of a password needs the old one once more. */
export const passing = {
  userSid: slot(session, 'user-sid'),
  oldPassword: slot(session, 'old-password'),
  /** Where to go after the page that asks for an email address. */
  afterEmail: slot(session, 'after-email'),
  /** The link for a new password and its session, which it opens only once: the page may be loaded again. */
  reset: slot(session, 'reset'),
  flash: slot(session, 'flash'),
  /** The last address of the area's list, with its page, filters and sort. */
  list: slot(session, 'list'),
  /** To which area the saved filters belong, also after the page was loaded anew. */
  area: slot(session, 'area'),
} satisfies Record<string, Slot>

/** Leaves a message for the page that comes next. */
export const leaveFlash = (text: string) => passing.flash.set(text)

/** The message that was left, once. */
export const takeFlash = (): string | null => {
  const left = passing.flash.get()
  passing.flash.clear()
  return left
}

/** Who chose dark does not want a white page because a session ended. */
const survives = 'trunkline.scheme'

/** Everything that a session left behind, here and in the window. */
export const clearStorage = () => {
  const scheme = local().getItem(survives)
  local().clear()
  session().clear()
  if (scheme !== null) local().setItem(survives, scheme)
}

/** The filters that are kept while a person goes between a list and its forms. */
export const clearSavedFilters = () => {
  kept.accountFilter.clear()
  kept.queryFilter.clear()
  passing.list.clear()
}

/** Tells when another window signed in or out. */
export const watchToken = (tell: () => void) => {
  const hear = (event: StorageEvent) => {
    if (event.key === null || event.key === 'token') tell()
  }
  window.addEventListener('storage', hear)
  return () => window.removeEventListener('storage', hear)
}
