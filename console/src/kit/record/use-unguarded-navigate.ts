import { useRouter } from '@tanstack/react-router'

/**
 * Returns a function that opens a path without asking about unsaved changes. For navigation from code, for example after
 * a save.
 */
export const useUnguardedNavigate = () => {
  const router = useRouter()
  return (href: string) => router.navigate({ to: href, ignoreBlocker: true })
}
