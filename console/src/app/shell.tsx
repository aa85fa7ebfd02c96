import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { late } from '../ui/late'
import { features } from '../lib/features'
import { paths } from '../lib/paths'
import { sayProblem } from '../lib/problem'
import { kept } from '../lib/storage'
import { landingOf } from '../session/landing'
import { meQuery } from '../session/me'
import { useProvider } from '../session/provider'
import { mayLeave } from '../kit/may-leave'
import { signOut, useSession } from '../session/session'
import { FailedState } from '../ui/failed-state'
import { Frame } from '../ui/frame'
import { Page } from '../ui/page'
import { useKeys } from './keys'
import { shownNavigation } from './navigation'
import { useOwnRouting } from './own-routing'
import { nameWindow } from './pages'
import { Provider } from './provider'
import { useTrail } from './trail'

const Shortcuts = late(() => import('./shortcuts').then((it) => it.Shortcuts))
/** After the page itself has come: nobody waits for it. */
const UnseenAlerts = late(async () => {
  await new Promise((done) => setTimeout(done, 2000))
  return (await import('../features/alerts/unseen')).UnseenAlerts
})
const Palette = late(() => import('./palette/palette').then((it) => it.Palette))

const areaIn = (pathname: string) => pathname.split('/').slice(0, 3).join('/')

/** The frame round every page: navigation, provider, trail, palette, user. */
export const Shell = () => {
  const session = useSession()
  const router = useRouter()
  const { pathname } = useLocation()
  const provider = useProvider()
  const { data: me } = useQuery({ ...meQuery, enabled: session?.actor.user_sid !== undefined })
  const trail = useTrail()
  const lcr_sid = useOwnRouting()
  const [collapsed, setCollapsed] = useState(kept.sidebar.get() === 'icons')
  const [unseen, setUnseen] = useState(0)
  // one thing lies over the page at a time
  const [over, setOver] = useState<'palette' | 'shortcuts'>()
  const onSearch = useCallback(() => setOver('palette'), [])
  const onShortcuts = useCallback(() => setOver('shortcuts'), [])
  const close = useCallback(() => setOver(undefined), [])
  useKeys({ onSearch, onShortcuts })
  const words = trail
    .map(({ label }) => label)
    .toReversed()
    .join('\n')
  useEffect(() => nameWindow(...words.split('\n').filter(Boolean)), [words])
  if (!session) return null

  const { actor } = session
  const groups = shownNavigation({ actor, features: features(), provider: provider.current, lcr_sid })
  const items = groups.map(({ label, items: entries }) => ({
    label,
    items: entries.map((entry) => ({
      ...entry,
      current: areaIn(entry.href) === areaIn(pathname),
      ...(entry.href === paths.alerts ? { badge: { count: unseen, what: 'new' } } : {}),
    })),
  }))
  const leave = async () => {
    if (!(await mayLeave())) return
    await signOut()
    await router.navigate({ to: paths.signIn, replace: true, ignoreBlocker: true })
  }
  return (
    <Frame
      provider={<Provider provider={provider} />}
      items={items}
      trail={trail}
      onSearch={onSearch}
      onShortcuts={onShortcuts}
      user={{
        name: me?.user.name ?? session.name,
        scope: actor.scope,
        ...(actor.user_sid ? { href: paths.users.edit(actor.user_sid) } : {}),
      }}
      onSignOut={() => void leave()}
      collapsed={collapsed}
      onCollapse={(next) => {
        kept.sidebar.set(next ? 'icons' : 'words')
        setCollapsed(next)
      }}
      home={landingOf(actor)}
    >
      {provider.sid ? <Outlet /> : <NoProvider error={provider.error} onRetry={provider.retry} />}
      <Suspense>
        {provider.sid ? (
          <UnseenAlerts
            key={provider.sid}
            provider={provider.sid}
            looking={areaIn(pathname) === paths.alerts}
            onCount={setUnseen}
          />
        ) : null}
      </Suspense>
      <Suspense>
        {over === 'palette' ? (
          <Palette groups={groups} onClose={close} onShortcuts={onShortcuts} onSignOut={() => void leave()} />
        ) : null}
        {over === 'shortcuts' ? <Shortcuts onClose={close} /> : null}
      </Suspense>
    </Frame>
  )
}

/** Nothing can be listed before it is known whose records they are. */
const NoProvider = ({ error, onRetry }: { error: Error | null; onRetry: () => void }) => (
  <Page title="Service provider">
    {error ? (
      <FailedState message={sayProblem(error)} text="The service providers could not be loaded." onRetry={onRetry} />
    ) : null}
  </Page>
)
