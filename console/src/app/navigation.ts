import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { scopeRank, type Actor } from '@trunkline/contract/policy/actor'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import {
  CreditCard,
  AudioLines,
  Building2,
  Hash,
  HeartPulse,
  House,
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
import type { ServerCapabilities } from '@trunkline/contract/shapes/session'
import { getArea, paths } from '../lib/paths'
import { hasPermission } from '../session/permission'
import { findScreen, getAddPermissionOwner } from './screens'

/** The values that decide which entries are visible and where they lead. */
export interface NavContext {
  actor: Actor
  features: FeatureFlags
  provider: ServiceProvider | undefined
  /** Undefined until known. */
  capabilities?: ServerCapabilities | undefined
  /** The LCR of the actor's account or provider, once loaded. */
  lcr_sid?: string | undefined
}

export interface NavEntry {
  label: string
  /** The letter that opens the screen after G. It is one of the label. */
  shortcut?: string
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
      {
        label: 'Home',
        shortcut: 'h',
        icon: House,
        href: () => paths.home,
        // visible until the server is known, so that the entries below do not move: most servers have it
        isVisible: ({ capabilities }) => capabilities?.home !== false,
      },
      {
        label: 'Users',
        shortcut: 'u',
        icon: Users,
        href: () => paths.users.list,
        isVisible: ({ features }) => !features.hosted,
      },
      { label: 'Settings', shortcut: 's', icon: Settings, href: () => paths.settings, isVisible: isProviderOrAdmin },
      {
        label: 'Plans and prices',
        shortcut: 'd',
        icon: CreditCard,
        href: () => paths.plans,
        isVisible: (context) => context.features.hosted && isProviderOrAdmin(context),
      },
      {
        label: 'System health',
        shortcut: 'y',
        icon: HeartPulse,
        href: () => paths.systemHealth,
        // visible until the server is known, like Home
        isVisible: ({ actor, capabilities }) =>
          actor.scope === 'admin' && (capabilities === undefined || capabilities.systemHealth),
      },
      {
        label: 'Accounts',
        shortcut: 'a',
        icon: Building2,
        href: () => paths.accounts.list,
        isVisible: isProviderOrAdmin,
      },
      {
        label: 'Account',
        shortcut: 'a',
        icon: Building2,
        href: ({ actor }) => (actor.scope === 'account' ? paths.accounts.edit(actor.account_sid) : paths.accounts.list),
        isVisible: ({ actor }) => actor.scope === 'account',
      },
      { label: 'Clients', shortcut: 'i', icon: MonitorSmartphone, href: () => paths.clients.list },
      { label: 'Applications', shortcut: 'p', icon: LayoutGrid, href: () => paths.applications.list },
      { label: 'Recent calls', shortcut: 'r', icon: PhoneCall, href: () => paths.recentCalls },
      { label: 'Alerts', shortcut: 'l', icon: TriangleAlert, href: () => paths.alerts },
    ],
  },
  {
    label: 'BYO Services',
    entries: [
      { label: 'Carriers', shortcut: 'c', icon: Server, href: () => paths.carriers.list },
      { label: 'Speech', shortcut: 'e', icon: AudioLines, href: () => paths.speech.list },
      { label: 'Phone numbers', shortcut: 'n', icon: Hash, href: () => paths.phoneNumbers.list },
      {
        label: 'MS Teams tenants',
        shortcut: 't',
        icon: MessagesSquare,
        href: () => paths.msTeamsTenants.list,
        isVisible: (context) => Boolean(context.provider?.ms_teams_fqdn),
      },
      {
        label: 'Outbound call routing',
        shortcut: 'o',
        icon: Split,
        href: ({ actor, lcr_sid }) => {
          if (actor.scope === 'admin') return paths.lcrs.list
          return lcr_sid ? paths.lcrs.edit(lcr_sid) : paths.lcrs.add
        },
        // without an LCR, it leads to the form that adds one
        isVisible: ({ actor, features, lcr_sid }) =>
          features.leastCostRouting &&
          (actor.scope === 'admin' ||
            lcr_sid !== undefined ||
            hasPermission(actor, 'create', 'lcr', getAddPermissionOwner(actor))),
      },
    ],
  },
]

export interface VisibleNavEntry {
  label: string
  shortcut: string | undefined
  icon: LucideIcon
  href: string
}

/** The entry of the open screen: the one with its path, else that of its area. */
export const findCurrentEntry = <Entry extends Pick<VisibleNavEntry, 'href'>>(
  entries: readonly Entry[],
  pathname: string,
): Entry | undefined =>
  entries.find(({ href }) => href === pathname) ?? entries.find(({ href }) => getArea(href) === getArea(pathname))

const isScreenPath = (href: string) => findScreen(href) !== undefined

/** The visible entries, in groups. Empty groups are omitted. */
export const getVisibleNavigation = (context: NavContext, hasScreen: (href: string) => boolean = isScreenPath) =>
  navigation
    .map(({ label: groupLabel, entries }) => ({
      label: groupLabel,
      items: entries
        .filter((entry) => entry.isVisible?.(context) ?? true)
        .map<VisibleNavEntry>(({ label, shortcut, icon, href }) => ({ label, shortcut, icon, href: href(context) }))
        .filter(({ href }) => hasScreen(href)),
    }))
    .filter(({ items }) => items.length > 0)
