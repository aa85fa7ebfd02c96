import { describe, expect, it } from 'vitest'
import { defaultFeatureFlags, type FeatureFlags } from '@trunkline/contract/feature-flags'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { getVisibleNavigation, type NavContext } from './navigation'

const actors: Record<Actor['scope'], Actor> = {
  admin: { scope: 'admin' },
  service_provider: { scope: 'service_provider', service_provider_sid: 'sp' },
  account: { scope: 'account', service_provider_sid: 'sp', account_sid: 'acc' },
}

const provider: ServiceProvider = {
  service_provider_sid: 'sp',
  name: 'Northwind',
  description: null,
  root_domain: null,
  ms_teams_fqdn: null,
  registration_hook: null,
}

interface ContextOptions {
  features?: Partial<FeatureFlags>
  teamsDomain?: string
  lcr_sid?: string
}

const contextFor = (scope: Actor['scope'], { features, teamsDomain, lcr_sid }: ContextOptions = {}): NavContext => ({
  actor: actors[scope],
  features: { ...defaultFeatureFlags, ...features },
  provider: { ...provider, ms_teams_fqdn: teamsDomain ?? null },
  ...(lcr_sid ? { lcr_sid } : {}),
})

const acceptEveryScreen = () => true

const getLabels = (context: NavContext, hasScreen: (href: string) => boolean = acceptEveryScreen) =>
  getVisibleNavigation(context, hasScreen).map(({ label, items }) => [label ?? '', ...items.map((item) => item.label)])

const getRoutingHref = (context: NavContext) =>
  getVisibleNavigation(context, acceptEveryScreen)
    .flatMap(({ items }) => items)
    .find(({ label }) => label === 'Outbound call routing')?.href

const byoGroup = ['BYO Services', 'Carriers', 'Speech', 'Phone numbers', 'Outbound call routing']
const labelsForEveryScope = ['Clients', 'Applications', 'Recent calls', 'Alerts']

describe('navigation', () => {
  it.each(['admin', 'service_provider'] as const)('lists every item for the scope %s', (scope) => {
    expect(getLabels(contextFor(scope))).toEqual([
      ['', 'Users', 'Settings', 'Accounts', ...labelsForEveryScope],
      byoGroup,
    ])
  })

  it('gives an account user a link to their own account in place of settings and accounts', () => {
    expect(getLabels(contextFor('account'))).toEqual([['', 'Users', 'Account', ...labelsForEveryScope], byoGroup])
    const [mainGroup] = getVisibleNavigation(contextFor('account'), acceptEveryScreen)
    expect(mainGroup?.items.find(({ label }) => label === 'Account')?.href).toBe('/internal/accounts/acc/edit')
  })

  it('hides the users in the hosted edition', () => {
    expect(getLabels(contextFor('admin', { features: { hosted: true } }))[0]).not.toContain('Users')
  })

  it('shows MS Teams tenants only if the provider has a domain for them', () => {
    expect(getLabels(contextFor('account', { teamsDomain: 'teams.example.com' }))[1]).toContain('MS Teams tenants')
    expect(getLabels({ ...contextFor('admin'), provider: undefined })[1]).not.toContain('MS Teams tenants')
  })

  it('hides outbound call routing when its feature flag is off', () => {
    expect(getLabels(contextFor('admin', { features: { leastCostRouting: false } }))[1]).not.toContain(
      'Outbound call routing',
    )
  })

  it("links outbound call routing to the list, the actor's LCR or the form for a new LCR", () => {
    expect(getRoutingHref(contextFor('admin', { lcr_sid: 'l' }))).toBe('/internal/least-cost-routing')
    expect(getRoutingHref(contextFor('account', { lcr_sid: 'l' }))).toBe('/internal/least-cost-routing/l/edit')
    expect(getRoutingHref(contextFor('service_provider'))).toBe('/internal/least-cost-routing/add')
  })

  it('shows no screen that does not exist, and no empty group', () => {
    expect(getLabels(contextFor('admin'), (href) => href === '/internal/accounts')).toEqual([['', 'Accounts']])
  })

  it('shows all screens of the console by default', () => {
    expect(getVisibleNavigation(contextFor('admin')).flatMap(({ items }) => items.map(({ label }) => label))).toEqual([
      'Users',
      'Settings',
      'Accounts',
      'Clients',
      'Applications',
      'Recent calls',
      'Alerts',
      'Carriers',
      'Speech',
      'Phone numbers',
      'Outbound call routing',
    ])
  })
})
