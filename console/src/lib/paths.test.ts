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
      "internal: /internal",
      "users.list: /internal/users",
      "users.add: /internal/users/add",
      "users.edit: /internal/users/SID/edit",
      "settings: /internal/settings",
      "accounts.list: /internal/accounts",
      "accounts.add: /internal/accounts/add",
      "accounts.edit: /internal/accounts/SID/edit",
      "applications.list: /internal/applications",
      "applications.add: /internal/applications/add",
      "applications.edit: /internal/applications/SID/edit",
      "clients.list: /internal/clients",
      "clients.add: /internal/clients/add",
      "clients.edit: /internal/clients/SID/edit",
      "recentCalls: /internal/recent-calls",
      "captures: /internal/recent-calls/captures",
      "alerts: /internal/alerts",
      "carriers.list: /internal/carriers",
      "carriers.add: /internal/carriers/add",
      "carriers.edit: /internal/carriers/SID/edit",
      "speech.list: /internal/speech-services",
      "speech.add: /internal/speech-services/add",
      "speech.edit: /internal/speech-services/SID/edit",
      "phoneNumbers.list: /internal/phone-numbers",
      "phoneNumbers.add: /internal/phone-numbers/add",
      "phoneNumbers.edit: /internal/phone-numbers/SID/edit",
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

it('links to a record of each kind that has a screen', () => {
  expect(recordPath('voip_carrier', 's')).toBe('/internal/carriers/s/edit')
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
