import { useQuery } from '@tanstack/react-query'
import type { Kind } from '@trunkline/contract/policy/policy'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { Outlet, useLocation, useRouter, useSearch } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import type { UnseenCount } from '../features/alerts/unseen-alerts'
import { lazyComponent } from '../ui/feedback/lazy-component'
import { getFeatureFlags } from '../lib/feature-flags'
import { paths } from '../lib/paths'
import { getErrorMessage } from '../lib/problem'
import { setSingleKeysOn } from '../lib/single-key'
import { capabilitiesQuery } from '../lib/server-capabilities'
import { localValues } from '../lib/storage'
import { getLandingPath } from '../session/landing-path'
import { meQuery } from '../session/me-query'
import { useCurrentProvider } from '../session/current-provider'
import { getKindLabels } from '../kit/record/kind-labels'
import { confirmLeave } from '../kit/form/confirm-leave'
import { signOut, useActor, useSession } from '../session/session'
import { areSingleKeysChosen, useUserSettings } from '../session/user-settings'
import { FailedState } from '../ui/feedback/failed-state'
import { Frame, type Breadcrumb } from '../ui/shell/frame'
import { ScreenLayout } from '../ui/shell/screen-layout'
import { PaletteInput } from '../ui/shell/palette-input'
import { FieldSkeleton, RowSkeleton } from '../ui/feedback/skeleton'
import { useMaxWidth } from '../ui/shell/use-window-width'
import { setCompactRows } from '../ui/table/row-height'
import { IdlePreload } from './idle-preload'
import { KeyboardShortcuts } from './keyboard-shortcuts'
import { findCurrentEntry, getVisibleNavigation } from './navigation'
import { navigateTo } from './follow-links'
import { toLowerCaseLabel } from './lower-case-label'
import { findScreen } from './screens'
import { useOwnLcr } from './use-own-lcr'
import { setDocumentTitle } from './navigation-effects'
import { ProviderMenu } from './provider-menu'
import { useBreadcrumbs, useRecordInView } from './use-breadcrumbs'

const ShortcutsDialog = lazyComponent(() => import('./shortcuts-dialog').then((module) => module.ShortcutsDialog))
/** Loads two seconds after the shell, because it is not urgent. */
const UnseenAlerts = lazyComponent(async () => {
  await new Promise((resolve) => setTimeout(resolve, 2000))
  // a badge that fails to load must not break the screen
  return import('../features/alerts/unseen-alerts').then(
    (module) => module.UnseenAlerts,
    () => (_props: object) => null,
  )
})
/** The menu must open without this, so that users can sign out while the server is unreachable. */
const UserMenuContent = lazyComponent(() =>
  import('./user-menu-content').then(
    (module) => module.UserMenuContent,
    () => (_props: object) => null,
  ),
)
const Palette = lazyComponent(() => import('./palette/palette').then((module) => module.Palette))

/** Up to this width of the window, the sidebar shows only icons unless the user has chosen otherwise. */
const maxIconSidebarWidthPx = 1099

/** The link and badge of Alerts. With unseen alerts, the link opens the last 7 days: today's list may be empty. */
const createAlertsEntry = ({ count, isGrouped }: UnseenCount) => ({
  href: count > 0 ? `${paths.alerts}?date=7` : paths.alerts,
  badge: { count, label: 'new', ...(isGrouped ? { note: 'Identical alerts count as one' } : {}) },
})

/** The display name of each scope. */
const scopeLabels = { admin: 'Admin', service_provider: 'Service provider', account: 'Account' } as const

/** Is the sidebar collapsed to icons? The user's choice applies at every width. */
const useSidebar = () => {
  const [sidebar, setSidebar] = useState(() => localValues.sidebar.get())
  const isNarrow = useMaxWidth(maxIconSidebarWidthPx)
  const setCollapsed = (isCollapsed: boolean) => {
    const choice = isCollapsed ? 'icons' : 'words'
    localValues.sidebar.set(choice)
    setSidebar(choice)
  }
  return { isCollapsed: sidebar === null ? isNarrow : sidebar === 'icons', setCollapsed }
}

/** The dialogs that open from anywhere with a keyboard shortcut. Only one is open at a time. */
const useShellDialogs = () => {
  const [dialog, setDialog] = useState<'palette' | 'shortcuts'>()
  const [query, setQuery] = useState('')
  const [returnFocusTo, setReturnFocusTo] = useState<Element | null>(null)
  const onSearch = useCallback(() => {
    setReturnFocusTo(document.activeElement)
    setQuery('')
    setDialog('palette')
  }, [])
  const onShortcuts = useCallback(() => setDialog('shortcuts'), [])
  const close = useCallback(() => setDialog(undefined), [])
  return { dialog, query, setQuery, returnFocusTo, onSearch, onShortcuts, close }
}

/** The navigation entries that the user sees. */
const useNavigation = (provider: ServiceProvider | undefined) => {
  const actor = useActor()
  const lcr_sid = useOwnLcr()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  return getVisibleNavigation({ actor, features: getFeatureFlags(), provider, capabilities, lcr_sid })
}

/** Remembers the record in view for the command palette, once its name is known. */
const useRememberedRecord = (provider: string | undefined) => {
  const actor = useActor()
  const record = useRecordInView()
  const { kind, sid, name } = record ?? {}
  useEffect(() => {
    if (!kind || !sid || !name || !provider) return
    // a failure is ignored: the palette works without the record
    void import('./palette/recent-records').then(
      ({ rememberRecord }) => rememberRecord(actor, { kind, sid, name, provider }),
      () => undefined,
    )
  }, [actor, kind, sid, name, provider])
}

/** Applies the user's settings that concern every screen. */
const useAppliedSettings = () => {
  const { settings } = useUserSettings()
  const areSingleKeysOn = areSingleKeysChosen(settings)
  const { density }: { density?: string } = useSearch({ strict: false })
  const hasCompactRows = density ? density === 'compact' : settings.compactRows === true
  useEffect(() => setSingleKeysOn(areSingleKeysOn), [areSingleKeysOn])
  useLayoutEffect(() => setCompactRows(hasCompactRows), [hasCompactRows])
}

/** Sets the document title to the breadcrumbs, the current screen first. */
const useBreadcrumbTitle = (breadcrumbs: readonly Breadcrumb[]) =>
  useEffect(() => {
    const labels = breadcrumbs.map(({ label }) => label).filter(Boolean)
    setDocumentTitle(...labels.toReversed())
  })

/** The frame around every screen: navigation, provider, breadcrumbs, palette, user menu. */
export const Shell = () => {
  const session = useSession()
  const router = useRouter()
  const { pathname } = useLocation()
  const providerSelection = useCurrentProvider()
  const { data: me } = useQuery({ ...meQuery, enabled: session?.actor.user_sid !== undefined })
  const breadcrumbs = useBreadcrumbs()
  const groups = useNavigation(providerSelection.current)
  const { isCollapsed, setCollapsed } = useSidebar()
  const [unseenAlerts, setUnseenAlerts] = useState<UnseenCount>({ count: 0, isGrouped: false })
  const { dialog, query, setQuery, returnFocusTo, onSearch, onShortcuts, close } = useShellDialogs()
  useBreadcrumbTitle(breadcrumbs)
  useAppliedSettings()
  useRememberedRecord(providerSelection.sid)
  if (!session) return null

  const { actor } = session
  const name = me?.user.name ?? session.name
  const scope = scopeLabels[actor.scope]
  const entries = groups.flatMap(({ items }) => items)
  const currentEntry = findCurrentEntry(entries, pathname)
  const navGroups = groups.map(({ label, items }) => ({
    label,
    items: items.map((entry) => ({
      ...entry,
      current: entry === currentEntry,
      ...(entry.href === paths.alerts ? createAlertsEntry(unseenAlerts) : {}),
    })),
  }))
  const signOutAfterConfirmation = async () => {
    if (!(await confirmLeave())) return
    await signOut()
    await router.navigate({ to: paths.signIn, replace: true, ignoreBlocker: true })
  }
  const onSignOut = () => void signOutAfterConfirmation()
  return (
    <Frame
      provider={<ProviderMenu selection={providerSelection} />}
      navGroups={navGroups}
      breadcrumbs={breadcrumbs}
      {...{ onSearch, onSignOut }}
      user={{
        name,
        // a user named 'admin' should not read 'admin Admin'
        ...(name.toLowerCase() === scope.toLowerCase() ? {} : { scope }),
      }}
      userMenu={<UserMenuContent {...{ name, scope, onShortcuts }} />}
      collapsed={isCollapsed}
      onCollapse={setCollapsed}
      home={getLandingPath(actor)}
    >
      {providerSelection.sid ? (
        <Outlet />
      ) : (
        <NoProvider error={providerSelection.error} onRetry={providerSelection.retry} />
      )}
      <KeyboardShortcuts {...{ onSearch, onShortcuts }} screens={entries} onOpen={(href) => navigateTo(router, href)} />
      <IdlePreload hrefs={entries.map(({ href }) => href)} />
      <Suspense>
        {providerSelection.sid ? (
          <UnseenAlerts
            key={providerSelection.sid}
            service_provider_sid={providerSelection.sid}
            onCount={setUnseenAlerts}
          />
        ) : null}
      </Suspense>
      {dialog === 'palette' ? (
        <Suspense fallback={<PaletteInput query={query} onQuery={setQuery} onClose={close} />}>
          <Palette {...{ groups, query, returnFocusTo, onShortcuts, onSignOut }} onQuery={setQuery} onClose={close} />
        </Suspense>
      ) : null}
      <Suspense>{dialog === 'shortcuts' ? <ShortcutsDialog screens={entries} onClose={close} /> : null}</Suspense>
    </Frame>
  )
}

/** The heading of a form or of a record's page until its own code renders it. */
const getFormHeading = (action: string, kind: Kind, viewOnly: boolean | undefined) => {
  const { singular } = getKindLabels(kind)
  if (viewOnly || !action) return singular
  return `${action} ${toLowerCaseLabel(singular)}`
}

/** Shown until the current provider is known: no list can load before that, so this renders the outline of the screen. */
const NoProvider = ({ error, onRetry }: { error: Error | null; onRetry: () => void }) => {
  const screen = findScreen(useLocation().pathname)
  const { viewOnly } = useActor()
  const kind = screen?.kind ?? screen?.addedKind
  const title = screen?.parent && kind ? getFormHeading(screen.title, kind, viewOnly) : (screen?.title ?? '')
  if (error)
    return (
      <ScreenLayout title={title || 'Service provider'}>
        <FailedState
          message={getErrorMessage(error)}
          text="The service providers could not be loaded."
          onRetry={onRetry}
        />
      </ScreenLayout>
    )
  return <ScreenLayout title={title}>{kind ? <FieldSkeleton /> : <RowSkeleton />}</ScreenLayout>
}
