import { useRouter } from '@tanstack/react-router'

/** Navigates after an action that was not a link, without the question about unsaved changes. */
export const useUnguardedNavigate = () => {
  const router = useRouter()
  return (href: string) => router.navigate({ to: href, ignoreBlocker: true })
}
