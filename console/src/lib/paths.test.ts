import { expect, it } from 'vitest'
import { getArea, paths, recordPath } from './paths'

const listLinks = (links: object, prefix = ''): string[] =>
  Object.entries(links).flatMap(([name, link]: [string, unknown]) => {
    if (typeof link === 'string') return `${prefix}${name}: ${link}`
    if (typeof link === 'function') return `${prefix}${name}: ${(link as (sid: string) => string)('SID')}`
    return listLinks(link as object, `${prefix}${name}.`)
  })

it('lists every link of the console', () => {
  expect(listLinks(paths)).toMatchInlineSnapshot(`
    [
      "signIn: /",
      "createPassword: /create-password",
      "addEmail: /add-email",
      "forgotPassword: /forgot-password",
      "resetPassword: /reset-password/$id",
      "confirmEmail: /confirm-email/$id",
      "register: /register",
      "registerByEmail: /register/email",
      "verifyEmail: /register/email/verify-your-email",
      "chooseSubdomain: /register/choose-a-subdomain",
      "oauthCallback: /oauth-callback/$provider",
      "internal: /internal",
      "home: /internal/home",
      "users.list: /internal/users",
      "users.add: /internal/users/add",
      "users.edit: /internal/users/SID/edit",
      "users.view: /internal/users/SID",
      "settings: /internal/settings",
      "plans: /internal/settings/plans",
      "systemHealth: /internal/system-health",
      "accounts.list: /internal/accounts",
      "accounts.add: /internal/accounts/add",
      "accounts.edit: /internal/accounts/SID/edit",
      "accounts.view: /internal/accounts/SID",
      "accounts.sipRealm: /internal/accounts/SID/sip-realm/edit",
      "accounts.subscription: /internal/accounts/SID/subscription",
      "accounts.modifySubscription: /internal/accounts/SID/modify-subscription",
      "accounts.managePayment: /internal/accounts/SID/manage-payment",
      "applications.list: /internal/applications",
      "applications.add: /internal/applications/add",
      "applications.edit: /internal/applications/SID/edit",
      "applications.view: /internal/applications/SID",
      "clients.list: /internal/clients",
      "clients.add: /internal/clients/add",
      "clients.edit: /internal/clients/SID/edit",
      "recentCalls: /internal/recent-calls",
      "recentCall: /internal/recent-calls/SID",
      "captures: /internal/recent-calls/captures",
      "alerts: /internal/alerts",
      "carriers.list: /internal/carriers",
      "carriers.add: /internal/carriers/add",
      "carriers.edit: /internal/carriers/SID/edit",
      "carriers.view: /internal/carriers/SID",
      "speech.list: /internal/speech-services",
      "speech.add: /internal/speech-services/add",
      "speech.edit: /internal/speech-services/SID/edit",
      "phoneNumbers.list: /internal/phone-numbers",
      "phoneNumbers.add: /internal/phone-numbers/add",
      "phoneNumbers.edit: /internal/phone-numbers/SID/edit",
      "phoneNumbers.view: /internal/phone-numbers/SID",
      "phoneNumbers.import: /internal/phone-numbers/import",
      "msTeamsTenants.list: /internal/ms-teams-tenants",
      "msTeamsTenants.add: /internal/ms-teams-tenants/add",
      "msTeamsTenants.edit: /internal/ms-teams-tenants/SID/edit",
      "lcrs.list: /internal/least-cost-routing",
      "lcrs.add: /internal/least-cost-routing/add",
      "lcrs.edit: /internal/least-cost-routing/SID/edit",
    ]
  `)
})

it('encodes SIDs in paths', () => {
  expect(paths.accounts.edit('a/b c?')).toBe('/internal/accounts/a%2Fb%20c%3F/edit')
})

it('links to the page of a record, or else to its form', () => {
  expect(recordPath('account', 's')).toBe('/internal/accounts/s')
  expect(recordPath('voip_carrier', 's')).toBe('/internal/carriers/s')
  expect(recordPath('lcr', 's')).toBe('/internal/least-cost-routing/s/edit')
  expect(recordPath('api_key', 's')).toBeUndefined()
})

it.each([
  ['/internal/accounts/add', 'accounts'],
  ['/internal/accounts', 'accounts'],
  ['/internal', undefined],
  ['/', undefined],
])('returns the area of %s', (pathname, area) => {
  expect(getArea(pathname)).toBe(area)
})
