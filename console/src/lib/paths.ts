/**
 * Every link of the console. SIDs in links are encoded, because a database of another installation may contain unusual
 * ones.
 */

const at = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`

const screens = (name: string) => ({
  list: at('internal', name),
  add: at('internal', name, 'add'),
  edit: (sid: string) => at('internal', name, sid, 'edit'),
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
  users: screens('users'),
  settings: at('internal', 'settings'),
  accounts: screens('accounts'),
  applications: screens('applications'),
  clients: screens('clients'),
  recentCalls: at('internal', 'recent-calls'),
  captures: at('internal', 'recent-calls', 'captures'),
  alerts: at('internal', 'alerts'),
  carriers: screens('carriers'),
  speech: screens('speech-services'),
  phoneNumbers: { ...screens('phone-numbers'), import: at('internal', 'phone-numbers', 'import') },
  msTeamsTenants: screens('ms-teams-tenants'),
  routing: screens('least-cost-routing'),
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
      lcr: paths.routing,
    }) as Partial<Record<string, { edit: (sid: string) => string }>>
  )[kind]?.edit(sid)

/** The URL segment that names the area: 'accounts' of /internal/accounts/add. */
export const getSection = (pathname: string): string | undefined => pathname.split('/')[2] || undefined
