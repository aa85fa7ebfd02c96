import type { Kind } from '@trunkline/contract/policy/policy'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { scopeRank } from '@trunkline/contract/policy/actor'
import { messages as access } from '@trunkline/contract/messages/access'
import { messages as account } from '@trunkline/contract/messages/account'
import { messages as general } from '@trunkline/contract/messages/general'
import type { ComponentType } from 'react'
import { featureFlags } from '../lib/feature-flags'
import { paths } from '../lib/paths'
import { hasPermission } from '../session/permission'

export type ScreenComponent = ComponentType<{ sid?: string }>

/** A page inside the shell. */
export interface Screen {
  /** The URL pattern; `$sid` is the record's SID. */
  path: string
  /** The document title and, for a list, the first breadcrumb. */
  title: string
  /** The list that this form belongs to. It is the first breadcrumb. */
  parent?: { label: string; href: string }
  /** The kind of record that `$sid` refers to. */
  kind?: Kind
  /** The kind of record that this screen adds. */
  adds?: Kind
  /** Loads the page's code on the first visit. */
  load: () => Promise<ScreenComponent>
  /** Returns an error message if the actor may not open this screen. */
  refuses?: (actor: Actor, sid: string | undefined) => string | undefined
  /** True if this installation disables the screen. It is then not found. */
  off?: () => boolean
}

const needsProvider = (refusal: string) => (actor: Actor) =>
  scopeRank[actor.scope] < scopeRank.service_provider ? refusal : undefined

const needsAdmin = (refusal: string) => (actor: Actor) => (actor.scope === 'admin' ? undefined : refusal)

/** Account users may open only their own account. */
const ownAccount = (actor: Actor, sid: string | undefined) =>
  actor.scope === 'account' && sid !== actor.account_sid ? access.foreignAccount : undefined

/** The three screens of a kind of record. */
const area = (
  at: { list: string; add: string },
  title: string,
  kind: Kind,
  load: { list: Screen['load']; form: Screen['load'] },
  refuses: { list?: Screen['refuses']; edit?: Screen['refuses'] } = {},
): Screen[] => {
  const parent = { label: title, href: at.list }
  return [
    { path: at.list, title, load: load.list, refuses: refuses.list },
    { path: at.add, title: 'Add', parent, adds: kind, load: load.form },
    { path: `${at.list}/$sid/edit`, title: 'Edit', parent, kind, load: load.form, refuses: refuses.edit },
  ]
}

/** The table of all screens inside the shell. The console renders no links to unlisted screens. */
export const screens: Screen[] = [
  {
    path: paths.settings,
    title: 'Settings',
    load: () => import('../features/settings/page').then((it) => it.Settings),
    refuses: needsProvider(general.mayNotManageSettings),
  },
  ...area(
    paths.accounts,
    'Accounts',
    'account',
    {
      list: () => import('../features/accounts/list').then((it) => it.AccountList),
      form: () => import('../features/accounts/form').then((it) => it.AccountForm),
    },
    { list: needsProvider(account.mayNotManageAll), edit: ownAccount },
  ),
  ...area(paths.users, 'Users', 'user', {
    list: () => import('../features/users/list').then((it) => it.UserList),
    form: () => import('../features/users/form').then((it) => it.UserForm),
  }),
  ...area(paths.applications, 'Applications', 'application', {
    list: () => import('../features/applications/list').then((it) => it.ApplicationList),
    form: () => import('../features/applications/form').then((it) => it.ApplicationForm),
  }),
  {
    path: paths.recentCalls,
    title: 'Recent calls',
    load: () => import('../features/recent-calls/list/list').then((it) => it.RecentCallList),
  },
  {
    path: paths.captures,
    title: 'Captured SIP',
    parent: { label: 'Recent calls', href: paths.recentCalls },
    load: () => import('../features/recent-calls/list/list').then((it) => it.CapturedSip),
  },
  {
    path: paths.alerts,
    title: 'Alerts',
    load: () => import('../features/alerts/list').then((it) => it.AlertList),
  },
  ...area(paths.carriers, 'Carriers', 'voip_carrier', {
    list: () => import('../features/carriers/list').then((it) => it.CarrierList),
    form: () => import('../features/carriers/form').then((it) => it.CarrierForm),
  }),
  ...area(paths.speech, 'Speech services', 'speech_credential', {
    list: () => import('../features/speech-services/list').then((it) => it.SpeechServiceList),
    form: () => import('../features/speech-services/form').then((it) => it.SpeechServiceForm),
  }),
  ...area(paths.clients, 'SIP clients', 'client', {
    list: () => import('../features/clients/list').then((it) => it.ClientList),
    form: () => import('../features/clients/form').then((it) => it.ClientForm),
  }),
  ...area(paths.msTeamsTenants, 'Microsoft Teams tenants', 'ms_teams_tenant', {
    list: () => import('../features/ms-teams-tenants/list').then((it) => it.MsTeamsTenantList),
    form: () => import('../features/ms-teams-tenants/form').then((it) => it.MsTeamsTenantForm),
  }),
  ...area(paths.phoneNumbers, 'Phone numbers', 'phone_number', {
    list: () => import('../features/phone-numbers/list').then((it) => it.PhoneNumberList),
    form: () => import('../features/phone-numbers/form').then((it) => it.PhoneNumberForm),
  }),
  ...area(
    paths.routing,
    'Outbound call routing',
    'lcr',
    {
      list: () => import('../features/least-cost-routing/list').then((it) => it.LcrList),
      form: () => import('../features/least-cost-routing/form').then((it) => it.LcrForm),
    },
    { list: needsAdmin(access.mayNotManageAllRoutes) },
  ).map((screen) => ({ ...screen, off: () => !featureFlags().leastCostRouting })),
  {
    path: paths.phoneNumbers.import,
    title: 'Import',
    parent: { label: 'Phone numbers', href: paths.phoneNumbers.list },
    adds: 'phone_number',
    load: () => import('../features/phone-numbers/import').then((it) => it.ImportNumbers),
  },
]

/** The owner that a new record would get. Administrators can add records to any provider, so their provider is null. */
const newRecordOwner = (actor: Actor): Owner => ({
  service_provider_sid: actor.scope === 'admin' ? null : actor.service_provider_sid,
  account_sid: actor.scope === 'account' ? actor.account_sid : null,
})

/**
 * The error message if the actor may not open a screen: because of its own rule, or because the policy forbids adding
 * such a record.
 */
export const refusalOf = ({ adds, refuses }: Screen, actor: Actor, sid: string | undefined): string | undefined => {
  if (adds && !hasPermission(actor, 'create', adds, newRecordOwner(actor))) return general.noAccess
  return refuses?.(actor, sid)
}

const matches = (pattern: string, pathname: string) => {
  const wanted = pattern.split('/')
  const given = pathname.split('/')
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith('$') || part === given[at])
}

/** The screen at a path. */
export const findScreen = (pathname: string, all: readonly Screen[] = screens): Screen | undefined =>
  all.find(({ path, off }) => matches(path, pathname.replace(/\/+$/, '')) && !off?.())

/** The SID in the path of a screen. */
export const getSidFromPath = ({ path }: Screen, pathname: string): string | undefined => {
  const at = path.split('/').indexOf('$sid')
  const part = at < 0 ? undefined : pathname.split('/')[at]
  return part === undefined ? undefined : decodeURIComponent(part)
}
