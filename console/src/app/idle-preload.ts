import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { findScreen } from './screens'

/** How often to check whether the screen still loads. Nothing else loads until two checks in a row find it idle. */
const checkIntervalMs = 750

/** Does the user, or a slow connection, ask for little data? Only some browsers report it. */
const savesData = () => {
  const connection = Reflect.get(navigator, 'connection') as { saveData?: boolean; effectiveType?: string } | undefined
  return connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '')
}

/** Loads the code of these screens one after another once the current screen has loaded. Renders nothing. */
export const IdlePreload = ({ hrefs }: { hrefs: readonly string[] }) => {
  const cache = useQueryClient()
  const joinedHrefs = hrefs.join(' ')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isUnmounted = false
    const loadScreens = async () => {
      for (const href of joinedHrefs.split(' ')) {
        if (isUnmounted) return
        // a failure is ignored: the screen then loads its code itself
        await findScreen(href)
          ?.load()
          .catch(() => undefined)
      }
    }
    const check = (wasIdle: boolean) => {
      const isIdle = cache.isFetching() === 0
      if (isIdle && wasIdle) void loadScreens()
      else timer = setTimeout(() => check(isIdle), checkIntervalMs)
    }
    if (!savesData()) timer = setTimeout(() => check(false), checkIntervalMs)
    return () => {
      isUnmounted = true
      clearTimeout(timer)
    }
  }, [cache, joinedHrefs])
  return null
}
