import { availability } from '@trunkline/contract/resources/availability'
import { useEffect, useState } from 'react'
import { request } from '../lib/client'
import { getErrorMessage, Problem } from '../lib/problem'
import { toast } from '../ui/feedback/toast'
import { findSubdomainError, minSubdomainLength, toRealm } from './subdomain'

/** Milliseconds after the last key before the subdomain is checked. */
const debounceMs = 500

export type SubdomainCheck =
  /** Too short, or the user is typing. */
  | { status: 'idle' }
  | { status: 'unchanged' | 'checking' | 'available' | 'unavailable' }
  /** The subdomain is invalid. */
  | { status: 'invalid'; text: string }
  /** The check or the change of the realm failed. */
  | { status: 'failed'; text: string }

interface SubdomainInput {
  subdomain: string
  /** Undefined while it is loading, or if there is none. */
  rootDomain: string | undefined
  /** The realm that the account has already. */
  currentRealm?: string
}

const getLocalStatus = ({ subdomain, rootDomain, currentRealm }: SubdomainInput): SubdomainCheck | undefined => {
  if (!rootDomain || subdomain.length < minSubdomainLength) return { status: 'idle' }
  return toRealm(subdomain, rootDomain) === currentRealm ? { status: 'unchanged' } : undefined
}

/** Checks a subdomain while the user types. The result always belongs to the current input. */
export const useSubdomainCheck = (input: SubdomainInput) => {
  const { subdomain, rootDomain = '' } = input
  const [attempt, setAttempt] = useState({ count: 0, delayMs: debounceMs })
  const [result, setResult] = useState<{ realm: string; check: SubdomainCheck }>()
  const localStatus = getLocalStatus(input)
  const realm = localStatus ? undefined : toRealm(subdomain, rootDomain)

  useEffect(() => {
    if (realm === undefined) return undefined
    const abortController = new AbortController()
    const { signal } = abortController
    const show = (check: SubdomainCheck) => {
      if (!signal.aborted) setResult({ realm, check })
    }
    const check = async () => {
      const invalidText = findSubdomainError(subdomain, rootDomain)
      if (invalidText) return show({ status: 'invalid', text: invalidText })
      show({ status: 'checking' })
      try {
        const { available } = await request(availability, {
          query: { type: 'subdomain', value: realm },
          signal,
          isBackground: true,
        })
        show({ status: available ? 'available' : 'unavailable' })
      } catch (error) {
        if (signal.aborted || (error instanceof Problem && error.hasEndedSession)) return
        const text = getErrorMessage(error)
        toast.bad(text)
        show({ status: 'failed', text })
      }
    }
    const timer = setTimeout(() => void check(), attempt.delayMs)
    return () => {
      clearTimeout(timer)
      abortController.abort()
    }
  }, [realm, subdomain, rootDomain, attempt])

  /** Checks again at once, after a failure. */
  const checkAgain = () => setAttempt({ count: attempt.count + 1, delayMs: 0 })
  /** Shows the refusal of a change at the field. */
  const showFailure = (text: string) => realm !== undefined && setResult({ realm, check: { status: 'failed', text } })
  const currentCheck: SubdomainCheck = localStatus ??
    (result?.realm === realm ? result?.check : undefined) ?? { status: 'idle' }
  return { check: currentCheck, realm, checkAgain, showFailure }
}
