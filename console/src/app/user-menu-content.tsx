import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { House, Rows3, SquareAsterisk } from 'lucide-react'
import { paths } from '../lib/paths'
import { capabilitiesQuery } from '../lib/server-capabilities'
import { useCurrentProvider } from '../session/current-provider'
import { meQuery } from '../session/me-query'
import { useActor } from '../session/session'
import { areSingleKeysChosen, useUserSettings } from '../session/user-settings'
import { UserMenuCheck, UserMenuItems } from '../ui/shell/user-menu-items'

/** The row height of the list in view, or that of the user's settings. A change concerns both. */
const useCompactRows = (): [boolean, (compactRows: boolean) => void] => {
  const { settings, change } = useUserSettings()
  const search: { density?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const setCompactRows = (compactRows: boolean) => {
    change({ compactRows })
    if (!search.density) return
    const density = compactRows ? 'compact' : 'normal'
    void navigate({ to: '.', search: { ...search, density }, replace: true, resetScroll: false })
  }
  return [search.density ? search.density === 'compact' : settings.compactRows === true, setCompactRows]
}

const Settings = () => {
  const [hasCompactRows, setCompactRows] = useCompactRows()
  const { settings, change } = useUserSettings()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  return (
    <>
      <UserMenuCheck icon={Rows3} label="Compact rows" checked={hasCompactRows} onChange={setCompactRows} />
      <UserMenuCheck
        icon={SquareAsterisk}
        label="Single-key shortcuts"
        checked={areSingleKeysChosen(settings)}
        onChange={(singleKeys) => change({ singleKeys })}
      />
      {/* a server without data for Home cannot start there */}
      {capabilities?.home ? (
        <UserMenuCheck
          icon={House}
          label="Open Home after sign-in"
          checked={settings.startsAtHome === true}
          onChange={(startsAtHome) => change({ startsAtHome })}
        />
      ) : null}
    </>
  )
}

/** The name of what the user's scope covers. */
const useOwnerName = (): string | undefined => {
  const actor = useActor()
  const { current } = useCurrentProvider()
  const { data: me } = useQuery(meQuery)
  if (actor.scope === 'admin') return 'All service providers'
  const name = actor.scope === 'account' ? me?.account.name : current?.name
  return typeof name === 'string' ? name : undefined
}

export interface UserMenuContentProps {
  name: string
  scope: string
  onShortcuts: () => void
}

/** The content of the user menu. */
export const UserMenuContent = ({ name, scope, onShortcuts }: UserMenuContentProps) => {
  const { user_sid } = useActor()
  const { data: me } = useQuery({ ...meQuery, enabled: user_sid !== undefined })
  const owner = useOwnerName()
  return (
    <UserMenuItems
      {...{ name, scope, onShortcuts }}
      email={me?.user.email}
      owner={owner}
      profile={user_sid ? paths.users.edit(user_sid) : undefined}
      settings={<Settings />}
    />
  )
}
