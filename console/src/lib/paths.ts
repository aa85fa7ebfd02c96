/** Every link of the console. A sid in a link is encoded, because a foreign database may hold odd ones. */

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
  /** With the id of a link out of a mail at the end. */
  resetPassword: '/reset-password/$id',
  /** With the id of a link out of a mail at the end. */
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

/** The edit page of a record of this kind, where it has one. */
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

/** The part of an internal address that says which area is open: 'accounts' of /internal/accounts/add. */
export const areaOf = (pathname: string): string | undefined => pathname.split('/')[2] || undefined
