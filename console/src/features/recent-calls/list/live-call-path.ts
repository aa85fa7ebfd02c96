import { useLocation } from '@tanstack/react-router'
import { paths } from '../../../lib/paths'

/** Returns a function that creates the path of a call in progress, or of their list; filters stay the same. */
export const useLiveCallPath = () => {
  const search = useLocation({ select: ({ searchStr }) => searchStr })
  return (call_sid?: string) => (call_sid === undefined ? paths.recentCalls : paths.recentCall(call_sid)) + search
}
