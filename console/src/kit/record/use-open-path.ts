import { useRouter, type RouterHistory } from '@tanstack/react-router'

/** Returns a function that opens a path like a link: if there are unsaved changes, the user is asked first. */
export const useOpenPath = () => {
  const router = useRouter()
  return (path: string) => (router.history as RouterHistory).push(path)
}
