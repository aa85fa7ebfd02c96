import { describe, expect, it } from 'vitest'
import { defaultFeatureFlags, type FeatureFlags } from '@trunkline/contract/feature-flags'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { noCapabilities } from '../lib/server-capabilities'
import { findCurrentEntry, getVisibleNavigation, navigation, type NavContext } from './navigation'

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
  it.each([
    ['admin', ['System health']],
    ['service_provider', []],
  ] as const)('lists every item for the scope %s', (scope, adminLabels) => {
    expect(getLabels(contextFor(scope))).toEqual([
      ['', 'Home', 'Users', 'Settings', ...adminLabels, 'Accounts', ...labelsForEveryScope],
      byoGroup,
    ])
  })

  it('gives an account user a link to their own account in place of settings and accounts', () => {
    expect(getLabels(contextFor('account'))).toEqual([
      ['', 'Home', 'Users', 'Account', ...labelsForEveryScope],
      byoGroup,
    ])
    const [mainGroup] = getVisibleNavigation(contextFor('account'), acceptEveryScreen)
    expect(mainGroup?.items.find(({ label }) => label === 'Account')?.href).toBe('/internal/accounts/acc/edit')
  })

  it('adds plans and prices in the hosted edition, for providers', () => {
    const features = { hosted: true }
    expect(getLabels(contextFor('admin'))[0]).not.toContain('Plans and prices')
    expect(getLabels(contextFor('service_provider', { features }))[0]).toContain('Plans and prices')
    expect(getLabels(contextFor('account', { features }))[0]).not.toContain('Plans and prices')
  })

  it('hides the users in the hosted edition', () => {
    expect(getLabels(contextFor('admin', { features: { hosted: true } }))[0]).not.toContain('Users')
  })

  it('hides the system health in front of a server that does not report it', () => {
    const getMainLabels = (systemHealth: boolean) =>
      getLabels({ ...contextFor('admin'), capabilities: { ...noCapabilities, systemHealth } })[0]
    expect(getMainLabels(true)).toContain('System health')
    expect(getMainLabels(false)).not.toContain('System health')
  })

  it('hides Home in front of a server without its figures', () => {
    const getMainLabels = (hasHome: boolean) =>
      getLabels({ ...contextFor('admin'), capabilities: { ...noCapabilities, home: hasHome } })[0]
    expect(getMainLabels(true)).toContain('Home')
    expect(getMainLabels(false)).not.toContain('Home')
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

  it('hides outbound call routing from users without an LCR who may not add one', () => {
    for (const scope of ['service_provider', 'account'] as const) {
      const context = contextFor(scope)
      const actor = { ...context.actor, viewOnly: true }
      expect(getRoutingHref({ ...context, actor })).toBeUndefined()
      expect(getRoutingHref({ ...context, actor, lcr_sid: 'l' })).toBe('/internal/least-cost-routing/l/edit')
    }
    const admin = contextFor('admin')
    expect(getRoutingHref({ ...admin, actor: { ...admin.actor, viewOnly: true } })).toBe('/internal/least-cost-routing')
  })

  it('shows no screen that does not exist, and no empty group', () => {
    expect(getLabels(contextFor('admin'), (href) => href === '/internal/accounts')).toEqual([['', 'Accounts']])
  })

  it('shows all screens of the console by default', () => {
    expect(getVisibleNavigation(contextFor('admin')).flatMap(({ items }) => items.map(({ label }) => label))).toEqual([
      'Home',
      'Users',
      'Settings',
      'System health',
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

describe('the letters of screens', () => {
  const entries = navigation.flatMap((group) => group.entries).filter(({ shortcut }) => shortcut !== undefined)

  it.each(entries)('of $label is one of its letters', ({ label, shortcut }) =>
    expect(label.toLowerCase()).toContain(shortcut),
  )

  it('are different on every screen that a user can open', () => {
    for (const scope of ['admin', 'service_provider', 'account'] as const)
      for (const isHosted of [false, true]) {
        const context = contextFor(scope, { features: { hosted: isHosted }, teamsDomain: 'teams.example.com' })
        const shortcuts = getVisibleNavigation(context, acceptEveryScreen).flatMap(({ items }) =>
          items.flatMap(({ shortcut }) => shortcut ?? []),
        )
        expect(new Set(shortcuts).size).toBe(shortcuts.length)
      }
  })
})

describe('the current entry', () => {
  const entries = ['/internal/settings', '/internal/settings/plans', '/internal/accounts'].map((href) => ({ href }))

  it.each([
    ['/internal/settings', '/internal/settings'],
    ['/internal/settings/plans', '/internal/settings/plans'],
    ['/internal/accounts/acc/edit', '/internal/accounts'],
    ['/internal/users', undefined],
  ])('of %s is %s', (pathname, href) => expect(findCurrentEntry(entries, pathname)?.href).toBe(href))
})
