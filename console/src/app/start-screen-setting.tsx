import { useQuery } from '@tanstack/react-query'
import { capabilitiesQuery } from '../lib/server-capabilities'
import { useUserSettings } from '../session/user-settings'
import { MenuCheck } from '../ui/shell/menu-check'

/** Lets the user choose Home as the screen after the sign-in. Absent if the server has no data for Home. */
export const StartScreenSetting = () => {
  const { settings, change } = useUserSettings()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  if (!capabilities?.home) return null
  return (
    <MenuCheck
      label="Open Home after sign-in"
      checked={settings.startsAtHome === true}
      onChange={(startsAtHome) => change({ startsAtHome })}
    />
  )
}
