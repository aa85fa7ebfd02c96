import { useRouter } from '@tanstack/react-router'

/** Goes to a page of the console after something was done there, unsaved changes or not; a link needs nothing of it. */
export const useGo = () => {
  const router = useRouter()
  return (href: string) => router.navigate({ to: href, ignoreBlocker: true })
}
