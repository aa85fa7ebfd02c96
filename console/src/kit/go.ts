import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Goes to a page of the console after something was done there; a link needs nothing of it. */
export const useGo = () => {
  const router = useRouter()
  return useCallback((href: string) => void router.navigate({ to: href }), [router])
}
