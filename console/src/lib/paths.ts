/**
 * Every link of the console. SIDs in links are encoded, because a database of another installation may contain unusual
 * ones.
 */

const joinPath = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`

const formPaths = (name: string) => ({
  list: joinPath('internal', name),
  add: joinPath('internal', name, 'add'),
  edit: (sid: string) => joinPath('internal', name, sid, 'edit'),
})

/** The paths of a kind of record that has a page to read it. */
const recordPaths = (name: string) => ({
  ...formPaths(name),
  view: (sid: string) => joinPath('internal', name, sid),
})

export const paths = {
  signIn: '/',
  createPassword: '/create-password',
  addEmail: '/add-email',
  forgotPassword: '/forgot-password',
  /** Ends with the id from a link in an e-mail. */
  resetPassword: '/reset-password/$id',
  /** Ends with the id from a link in an e-mail. */
  confirmEmail: '/confirm-email/$id',
  register: '/register',
  registerByEmail: '/register/email',
  verifyEmail: '/register/email/verify-your-email',
  chooseSubdomain: '/register/choose-a-subdomain',
  /** Where an identity provider sends users back to. */
  oauthCallback: '/oauth-callback/$provider',
  internal: '/internal',
  home: joinPath('internal', 'home'),
  users: recordPaths('users'),
  settings: joinPath('internal', 'settings'),
  plans: joinPath('internal', 'settings', 'plans'),
  systemHealth: joinPath('internal', 'system-health'),
  accounts: {
    ...recordPaths('accounts'),
    sipRealm: (sid: string) => joinPath('internal', 'accounts', sid, 'sip-realm', 'edit'),
    subscription: (sid: string) => joinPath('internal', 'accounts', sid, 'subscription'),
    modifySubscription: (sid: string) => joinPath('internal', 'accounts', sid, 'modify-subscription'),
    managePayment: (sid: string) => joinPath('internal', 'accounts', sid, 'manage-payment'),
  },
  applications: recordPaths('applications'),
  clients: formPaths('clients'),
  recentCalls: joinPath('internal', 'recent-calls'),
  /** The list with one of its calls open. */
  recentCall: (key: string) => joinPath('internal', 'recent-calls', key),
  captures: joinPath('internal', 'recent-calls', 'captures'),
  alerts: joinPath('internal', 'alerts'),
  carriers: recordPaths('carriers'),
  speech: formPaths('speech-services'),
  phoneNumbers: { ...recordPaths('phone-numbers'), import: joinPath('internal', 'phone-numbers', 'import') },
  msTeamsTenants: formPaths('ms-teams-tenants'),
  lcrs: formPaths('least-cost-routing'),
} as const

/** The page of a record of this kind, or its edit screen if the kind has no page. Undefined if it has neither. */
export const recordPath = (kind: string, sid: string): string | undefined =>
  (
    ({
      account: paths.accounts.view,
      application: paths.applications.view,
      voip_carrier: paths.carriers.view,
      phone_number: paths.phoneNumbers.view,
      user: paths.users.view,
      client: paths.clients.edit,
      speech_credential: paths.speech.edit,
      ms_teams_tenant: paths.msTeamsTenants.edit,
      lcr: paths.lcrs.edit,
    }) as Partial<Record<string, (sid: string) => string>>
  )[kind]?.(sid)

/** The URL segment that the screens of one kind of record share, as 'accounts' in /internal/accounts/add. */
export const getArea = (pathname: string): string | undefined => pathname.split('/')[2] || undefined
