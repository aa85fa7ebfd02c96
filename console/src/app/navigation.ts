import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { scopeRank, type Actor } from '@trunkline/contract/policy/actor'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import {
  AudioLines,
  Building2,
  Hash,
  LayoutGrid,
  MessagesSquare,
  MonitorSmartphone,
  PhoneCall,
  Server,
  Settings,
  Split,
  TriangleAlert,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { paths } from '../lib/paths'
import { findScreen } from './screens'

/** The values that decide which entries are visible and where they lead. */
export interface NavContext {
  actor: Actor
  features: FeatureFlags
  provider: ServiceProvider | undefined
  /** The LCR of the actor's account or provider, once loaded. */
  lcr_sid?: string | undefined
}

export interface NavEntry {
  label: string
  icon: LucideIcon
  href: (context: NavContext) => string
  /** Default: visible to everyone. */
  isVisible?: (context: NavContext) => boolean
}

const isProviderOrAdmin = ({ actor }: NavContext) => scopeRank[actor.scope] >= scopeRank.service_provider

/** All possible navigation entries. An entry is visible if its condition holds and its screen exists. */
export const navigation: { label?: string; entries: NavEntry[] }[] = [
  {
    entries: [
      { label: 'Users', icon: Users, href: () => paths.users.list, isVisible: ({ features }) => !features.hosted },
      { label: 'Settings', icon: Settings, href: () => paths.settings, isVisible: isProviderOrAdmin },
      { label: 'Accounts', icon: Building2, href: () => paths.accounts.list, isVisible: isProviderOrAdmin },
      {
        label: 'Account',
        icon: Building2,
        href: ({ actor }) => (actor.scope === 'account' ? paths.accounts.edit(actor.account_sid) : paths.accounts.list),
        isVisible: ({ actor }) => actor.scope === 'account',
      },
      { label: 'Clients', icon: MonitorSmartphone, href: () => paths.clients.list },
      { label: 'Applications', icon: LayoutGrid, href: () => paths.applications.list },
      { label: 'Recent calls', icon: PhoneCall, href: () => paths.recentCalls },
      { label: 'Alerts', icon: TriangleAlert, href: () => paths.alerts },
    ],
  },
  {
    label: 'BYO Services',
    entries: [
      { label: 'Carriers', icon: Server, href: () => paths.carriers.list },
      { label: 'Speech', icon: AudioLines, href: () => paths.speech.list },
      { label: 'Phone numbers', icon: Hash, href: () => paths.phoneNumbers.list },
      {
        label: 'MS Teams tenants',
        icon: MessagesSquare,
        href: () => paths.msTeamsTenants.list,
        isVisible: (context) => Boolean(context.provider?.ms_teams_fqdn),
      },
      {
        label: 'Outbound call routing',
        icon: Split,
        href: ({ actor, lcr_sid }) => {
          if (actor.scope === 'admin') return paths.lcrs.list
          return lcr_sid ? paths.lcrs.edit(lcr_sid) : paths.lcrs.add
        },
        isVisible: ({ features }) => features.leastCostRouting,
      },
    ],
  },
]

export interface VisibleNavEntry {
  label: string
  icon: LucideIcon
  href: string
}

const isScreenPath = (href: string) => findScreen(href) !== undefined

/** The visible entries, in groups. Empty groups are omitted. */
export const getVisibleNavigation = (context: NavContext, hasScreen: (href: string) => boolean = isScreenPath) =>
  navigation
    .map(({ label, entries }) => ({
      label,
      items: entries
        .filter((entry) => entry.isVisible?.(context) ?? true)
        .map<VisibleNavEntry>((entry) => ({ label: entry.label, icon: entry.icon, href: entry.href(context) }))
        .filter(({ href }) => hasScreen(href)),
    }))
    .filter(({ items }) => items.length > 0)
