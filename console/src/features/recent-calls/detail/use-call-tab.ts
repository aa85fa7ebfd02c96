import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'

const defaultTab = 'details'

/** The open tab of a call. It is in the address, so that a link and the Back button lead to the same tab. */
export const useCallTab = () => {
  const { tab = defaultTab }: { tab?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const setTab = (nextTab: string) => {
    const { tab: _, ...search } = router.latestLocation.search as Record<string, string>
    void navigate({
      to: '.',
      search: { ...search, ...(nextTab === defaultTab ? {} : { tab: nextTab }) },
      resetScroll: false,
    })
  }
  return [tab, setTab] as const
}
