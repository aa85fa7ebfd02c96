/**
 * Every link of the console. SIDs in links are encoded, because a database of another installation may contain unusual
 * ones.
 */

const joinPath = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`

const recordPaths = (name: string) => ({
  list: joinPath('internal', name),
  add: joinPath('internal', name, 'add'),
  edit: (sid: string) => joinPath('internal', name, sid, 'edit'),
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
  internal: '/internal',
  users: recordPaths('users'),
  settings: joinPath('internal', 'settings'),
  accounts: recordPaths('accounts'),
  applications: recordPaths('applications'),
  clients: recordPaths('clients'),
  recentCalls: joinPath('internal', 'recent-calls'),
  captures: joinPath('internal', 'recent-calls', 'captures'),
  alerts: joinPath('internal', 'alerts'),
  carriers: recordPaths('carriers'),
  speech: recordPaths('speech-services'),
  phoneNumbers: { ...recordPaths('phone-numbers'), import: joinPath('internal', 'phone-numbers', 'import') },
  msTeamsTenants: recordPaths('ms-teams-tenants'),
  lcrs: recordPaths('least-cost-routing'),
} as const

/** The edit page of a record of this kind, or undefined if the kind has none. */
export const recordPath = (kind: string, sid: string): string | undefined =>
  (
    ({
      account: paths.accounts,
      application: paths.applications,
      voip_carrier: paths.carriers,
      phone_number: paths.phoneNumbers,
      user: paths.users,
      client: paths.clients,
      speech_credential: paths.speech,
      ms_teams_tenant: paths.msTeamsTenants,
      lcr: paths.lcrs,
    }) as Partial<Record<string, { edit: (sid: string) => string }>>
  )[kind]?.edit(sid)

/** The URL segment that the screens of one kind of record share, as 'accounts' in /internal/accounts/add. */
export const getArea = (pathname: string): string | undefined => pathname.split('/')[2] || undefined
