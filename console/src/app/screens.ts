import type { Kind } from '@trunkline/contract/policy/policy'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { scopeRank } from '@trunkline/contract/policy/actor'
import { messages as accessMessages } from '@trunkline/contract/messages/access'
import { messages as accountMessages } from '@trunkline/contract/messages/account'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import type { ComponentType } from 'react'
import { getFeatureFlags } from '../lib/feature-flags'
import { paths } from '../lib/paths'
import { hasPermission } from '../session/permission'

export type ScreenComponent = ComponentType<{ sid?: string }>

/** A view inside the shell, with its own URL, title and access rule. */
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
  addedKind?: Kind
  /** Loads the screen's code on the first visit. */
  load: () => Promise<ScreenComponent>
  /** Returns an error message if the actor may not open this screen. */
  getAccessError?: (actor: Actor, sid: string | undefined) => string | undefined
  /** True if this installation disables the screen. It is then not found. */
  isDisabled?: () => boolean
}

const requireProviderScope = (errorMessage: string) => (actor: Actor) =>
  scopeRank[actor.scope] < scopeRank.service_provider ? errorMessage : undefined

const requireAdmin = (errorMessage: string) => (actor: Actor) => (actor.scope === 'admin' ? undefined : errorMessage)

/** Account users may open only their own account. */
const requireOwnAccount = (actor: Actor, sid: string | undefined) =>
  actor.scope === 'account' && sid !== actor.account_sid ? accessMessages.foreignAccount : undefined

/** The three screens of a kind of record. */
const createRecordScreens = (
  recordPaths: { list: string; add: string },
  title: string,
  kind: Kind,
  load: { list: Screen['load']; form: Screen['load'] },
  accessChecks: { list?: Screen['getAccessError']; edit?: Screen['getAccessError'] } = {},
): Screen[] => {
  const parent = { label: title, href: recordPaths.list }
  return [
    { path: recordPaths.list, title, load: load.list, getAccessError: accessChecks.list },
    { path: recordPaths.add, title: 'Add', parent, addedKind: kind, load: load.form },
    {
      path: `${recordPaths.list}/$sid/edit`,
      title: 'Edit',
      parent,
      kind,
      load: load.form,
      getAccessError: accessChecks.edit,
    },
  ]
}

/** All screens inside the shell. The navigation and the search omit links to paths that are not listed here. */
export const screens: Screen[] = [
  {
    path: paths.settings,
    title: 'Settings',
    load: () => import('../features/settings/page').then((module) => module.Settings),
    getAccessError: requireProviderScope(generalMessages.mayNotManageSettings),
  },
  ...createRecordScreens(
    paths.accounts,
    'Accounts',
    'account',
    {
      list: () => import('../features/accounts/list').then((module) => module.AccountList),
      form: () => import('../features/accounts/form').then((module) => module.AccountForm),
    },
    { list: requireProviderScope(accountMessages.mayNotListAllAccounts), edit: requireOwnAccount },
  ),
  ...createRecordScreens(paths.users, 'Users', 'user', {
    list: () => import('../features/users/list').then((module) => module.UserList),
    form: () => import('../features/users/form').then((module) => module.UserForm),
  }),
  ...createRecordScreens(paths.applications, 'Applications', 'application', {
    list: () => import('../features/applications/list').then((module) => module.ApplicationList),
    form: () => import('../features/applications/form').then((module) => module.ApplicationForm),
  }),
  {
    path: paths.recentCalls,
    title: 'Recent calls',
    load: () => import('../features/recent-calls/list/list').then((module) => module.RecentCallList),
  },
  {
    path: paths.captures,
    title: 'Captured SIP',
    parent: { label: 'Recent calls', href: paths.recentCalls },
    load: () => import('../features/recent-calls/list/list').then((module) => module.CapturedSip),
  },
  {
    path: paths.alerts,
    title: 'Alerts',
    load: () => import('../features/alerts/list').then((module) => module.AlertList),
  },
  ...createRecordScreens(paths.carriers, 'Carriers', 'voip_carrier', {
    list: () => import('../features/carriers/list').then((module) => module.CarrierList),
    form: () => import('../features/carriers/form').then((module) => module.CarrierForm),
  }),
  ...createRecordScreens(paths.speech, 'Speech services', 'speech_credential', {
    list: () => import('../features/speech-services/list').then((module) => module.SpeechServiceList),
    form: () => import('../features/speech-services/form').then((module) => module.SpeechServiceForm),
  }),
  ...createRecordScreens(paths.clients, 'SIP clients', 'client', {
    list: () => import('../features/clients/list').then((module) => module.ClientList),
    form: () => import('../features/clients/form').then((module) => module.ClientForm),
  }),
  ...createRecordScreens(paths.msTeamsTenants, 'Microsoft Teams tenants', 'ms_teams_tenant', {
    list: () => import('../features/ms-teams-tenants/list').then((module) => module.MsTeamsTenantList),
    form: () => import('../features/ms-teams-tenants/form').then((module) => module.MsTeamsTenantForm),
  }),
  ...createRecordScreens(paths.phoneNumbers, 'Phone numbers', 'phone_number', {
    list: () => import('../features/phone-numbers/list').then((module) => module.PhoneNumberList),
    form: () => import('../features/phone-numbers/form').then((module) => module.PhoneNumberForm),
  }),
  ...createRecordScreens(
    paths.lcrs,
    'Outbound call routing',
    'lcr',
    {
      list: () => import('../features/least-cost-routing/list').then((module) => module.LcrList),
      form: () => import('../features/least-cost-routing/form').then((module) => module.LcrForm),
    },
    { list: requireAdmin(accessMessages.mayNotListAllLcrs) },
  ).map((screen) => ({ ...screen, isDisabled: () => !getFeatureFlags().leastCostRouting })),
  {
    path: paths.phoneNumbers.import,
    title: 'Import',
    parent: { label: 'Phone numbers', href: paths.phoneNumbers.list },
    addedKind: 'phone_number',
    load: () => import('../features/phone-numbers/import').then((module) => module.ImportNumbers),
  },
]

/**
 * Returns the owner to check before a form for a new record opens. The current provider is not known yet: administrators
 * may add records to any provider, so their provider is null.
 */
const getAddPermissionOwner = (actor: Actor): Owner => ({
  service_provider_sid: actor.scope === 'admin' ? null : actor.service_provider_sid,
  account_sid: actor.scope === 'account' ? actor.account_sid : null,
})

/**
 * Returns an error message if the actor may not open a screen, either because of its `getAccessError` or because the
 * policy forbids adding such a record.
 */
export const getScreenAccessError = (
  { addedKind, getAccessError }: Screen,
  actor: Actor,
  sid: string | undefined,
): string | undefined => {
  if (addedKind && !hasPermission(actor, 'create', addedKind, getAddPermissionOwner(actor)))
    return generalMessages.noAccess
  return getAccessError?.(actor, sid)
}

const matchesPattern = (pattern: string, pathname: string) => {
  const patternSegments = pattern.split('/')
  const pathSegments = pathname.split('/')
  return (
    patternSegments.length === pathSegments.length &&
    patternSegments.every((segment, index) => segment.startsWith('$') || segment === pathSegments[index])
  )
}

/** The screen at a path. */
export const findScreen = (pathname: string, candidates: readonly Screen[] = screens): Screen | undefined =>
  candidates.find(({ path, isDisabled }) => matchesPattern(path, pathname.replace(/\/+$/, '')) && !isDisabled?.())

/** The SID in the path of a screen. */
export const getSidFromPath = ({ path }: Screen, pathname: string): string | undefined => {
  const index = path.split('/').indexOf('$sid')
  const segment = index < 0 ? undefined : pathname.split('/')[index]
  return segment === undefined ? undefined : decodeURIComponent(segment)
}
