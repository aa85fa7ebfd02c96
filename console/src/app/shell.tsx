import { useQuery } from '@tanstack/react-query'
import type { Kind } from '@trunkline/contract/policy/policy'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useState } from 'react'
import type { UnseenCount } from '../features/alerts/unseen-alerts'
import { lazyComponent } from '../ui/feedback/lazy-component'
import { featureFlags } from '../lib/feature-flags'
import { paths } from '../lib/paths'
import { getErrorMessage } from '../lib/problem'
import { localValues } from '../lib/storage'
import { landingPathOf } from '../session/landing-path'
import { meQuery } from '../session/me-query'
import { useCurrentProvider } from '../session/current-provider'
import { getKindLabels } from '../kit/record/kind-labels'
import { confirmLeave } from '../kit/form/confirm-leave'
import { signOut, useActor, useSession } from '../session/session'
import { FailedState } from '../ui/feedback/failed-state'
import { Frame } from '../ui/shell/frame'
import { Page } from '../ui/shell/page'
import { PaletteInput } from '../ui/shell/palette-input'
import { FieldSkeleton, RowSkeleton } from '../ui/feedback/skeleton'
import { useMaxWidth } from '../ui/shell/use-is-narrow'
import { useKeyboardShortcuts } from './keyboard-shortcuts'
import { getVisibleNavigation } from './navigation'
import { findScreen } from './screens'
import { useOwnLcr } from './use-own-lcr'
import { setDocumentTitle } from './page-history'
import { ProviderMenu } from './provider-menu'
import { useBreadcrumbs } from './use-breadcrumbs'

const Shortcuts = lazyComponent(() => import('./shortcuts-dialog').then((it) => it.ShortcutsDialog))
/** Loads two seconds after the shell, because it is not urgent. */
const UnseenAlerts = lazyComponent(async () => {
  await new Promise((done) => setTimeout(done, 2000))
  // a badge that fails to load must not break the page
  return import('../features/alerts/unseen-alerts').then(
    (it) => it.UnseenAlerts,
    () => (_props: object) => null,
  )
})
const Palette = lazyComponent(() => import('./palette/palette').then((it) => it.Palette))

/** Up to this width, in pixels, the sidebar shows only icons unless the user has chosen otherwise. */
const maxIconsWidth = 1099

const areaIn = (pathname: string) => pathname.split('/').slice(0, 3).join('/')

/** With unseen alerts, the entry opens the last 7 days: today's list may be empty. */
const alertsEntry = ({ count, isGrouped }: UnseenCount) => ({
  href: count > 0 ? `${paths.alerts}?date=7` : paths.alerts,
  badge: { count, what: 'new', ...(isGrouped ? { note: 'Identical alerts count as one' } : {}) },
})

/** The display name of each scope. */
const scopeWords = { admin: 'Admin', service_provider: 'Service provider', account: 'Account' } as const

/** The frame around every page: navigation, provider, breadcrumbs, palette, user menu. */
export const Shell = () => {
  const session = useSession()
  const router = useRouter()
  const { pathname } = useLocation()
  const provider = useCurrentProvider()
  const { data: me } = useQuery({ ...meQuery, enabled: session?.actor.user_sid !== undefined })
  const trail = useBreadcrumbs()
  const lcr_sid = useOwnLcr()
  const [sidebar, setSidebar] = useState(() => localValues.sidebar.get())
  const hasLittleRoom = useMaxWidth(maxIconsWidth)
  // the user's choice applies at every width
  const collapsed = sidebar === null ? hasLittleRoom : sidebar === 'icons'
  const [unseen, setUnseen] = useState<UnseenCount>({ count: 0, isGrouped: false })
  // only one dialog is open at a time
  const [over, setOver] = useState<'palette' | 'shortcuts'>()
  const [query, setQuery] = useState('')
  const [opener, setOpener] = useState<Element | null>(null)
  const onSearch = useCallback(() => {
    setOpener(document.activeElement)
    setQuery('')
    setOver('palette')
  }, [])
  const onShortcuts = useCallback(() => setOver('shortcuts'), [])
  const close = useCallback(() => setOver(undefined), [])
  useKeyboardShortcuts({ onSearch, onShortcuts })
  const words = trail
    .map(({ label }) => label)
    .toReversed()
    .join('\n')
  useEffect(() => setDocumentTitle(...words.split('\n').filter(Boolean)), [words])
  if (!session) return null

  const { actor } = session
  const name = me?.user.name ?? session.name
  const scope = scopeWords[actor.scope]
  const groups = getVisibleNavigation({ actor, features: featureFlags(), provider: provider.current, lcr_sid })
  const items = groups.map(({ label, items: entries }) => ({
    label,
    items: entries.map((entry) => ({
      ...entry,
      current: areaIn(entry.href) === areaIn(pathname),
      ...(entry.href === paths.alerts ? alertsEntry(unseen) : {}),
    })),
  }))
  const leave = async () => {
    if (!(await confirmLeave())) return
    await signOut()
    await router.navigate({ to: paths.signIn, replace: true, ignoreBlocker: true })
  }
  return (
    <Frame
      provider={<ProviderMenu provider={provider} />}
      items={items}
      trail={trail}
      onSearch={onSearch}
      onShortcuts={onShortcuts}
      user={{
        name,
        // a user named 'admin' should not read 'admin Admin'
        ...(name.toLowerCase() === scope.toLowerCase() ? {} : { scope }),
        ...(actor.user_sid ? { href: paths.users.edit(actor.user_sid) } : {}),
      }}
      onSignOut={() => void leave()}
      collapsed={collapsed}
      onCollapse={(next) => {
        const choice = next ? 'icons' : 'words'
        localValues.sidebar.set(choice)
        setSidebar(choice)
      }}
      home={landingPathOf(actor)}
    >
      {provider.sid ? <Outlet /> : <NoProvider error={provider.error} onRetry={provider.retry} />}
      <Suspense>
        {provider.sid ? <UnseenAlerts key={provider.sid} provider={provider.sid} onCount={setUnseen} /> : null}
      </Suspense>
      {over === 'palette' ? (
        <Suspense fallback={<PaletteInput query={query} onQuery={setQuery} onClose={close} />}>
          <Palette
            groups={groups}
            query={query}
            onQuery={setQuery}
            returnFocusTo={opener}
            onClose={close}
            onShortcuts={onShortcuts}
            onSignOut={() => void leave()}
          />
        </Suspense>
      ) : null}
      <Suspense>{over === 'shortcuts' ? <Shortcuts onClose={close} /> : null}</Suspense>
    </Frame>
  )
}

const isProductName = /^(Microsoft|SIP)/

/** The heading of a form until its own code renders it. */
const formHeading = (action: string, kind: Kind, viewOnly: boolean | undefined) => {
  const { singular } = getKindLabels(kind)
  if (viewOnly) return singular
  return `${action} ${isProductName.test(singular) ? singular : singular.charAt(0).toLowerCase() + singular.slice(1)}`
}

/** Shown until the current provider is known: no list can load before that, so this renders the outline of the page. */
const NoProvider = ({ error, onRetry }: { error: Error | null; onRetry: () => void }) => {
  const screen = findScreen(useLocation().pathname)
  const { viewOnly } = useActor()
  const kind = screen?.kind ?? screen?.adds
  const title = screen?.parent && kind ? formHeading(screen.title, kind, viewOnly) : (screen?.title ?? '')
  if (error)
    return (
      <Page title={title || 'Service provider'}>
        <FailedState
          message={getErrorMessage(error)}
          text="The service providers could not be loaded."
          onRetry={onRetry}
        />
      </Page>
    )
  return <Page title={title}>{kind ? <FieldSkeleton /> : <RowSkeleton />}</Page>
}
