import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/tts-cache'
import type { Owner } from '@trunkline/contract/policy/actor'
import { ttsCache, ttsCacheOfAccount, ttsCacheOfProvider } from '@trunkline/contract/resources/tts-cache'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { capabilitiesQuery, noCapabilities } from '../lib/server-capabilities'
import { request } from '../lib/client'
import { getErrorMessage } from '../lib/problem'
import { namedQueryKey } from '../lib/query-keys'
import { useCan } from '../session/session'
import { Button } from '../ui/button'
import { ConfirmDialog } from '../ui/dialog/confirm-dialog'
import { FailedState } from '../ui/feedback/failed-state'
import { Section } from '../ui/form/section'
import { toast } from '../ui/feedback/toast'
import { useRecordAction } from '../kit/record/record-mutations'
import css from './tts-cache.module.css'

const platformOwner: Owner = { service_provider_sid: null, account_sid: null }

const describeSize = (size: number, isShared: boolean) => {
  if (size === 0) return `The cache is empty.${isShared ? '' : ` ${messages.noRedis}`}`
  return size === 1 ? '1 text is cached.' : `${size.toLocaleString('en-US')} texts are cached.`
}

/** The requests and the label for an owner: an account, a service provider's accounts, or the platform. */
const createCacheRequests = ({ account_sid, service_provider_sid }: Owner) => {
  if (account_sid !== null) {
    const params = { account_sid }
    return {
      ownerName: 'this account',
      read: (signal: AbortSignal) => request(ttsCacheOfAccount.read, { params, signal }),
      clear: () => request(ttsCacheOfAccount.clear, { params }),
    }
  }
  if (service_provider_sid !== null) {
    const params = { service_provider_sid }
    return {
      ownerName: "this service provider's accounts",
      read: (signal: AbortSignal) => request(ttsCacheOfProvider.read, { params, signal }),
      clear: () => request(ttsCacheOfProvider.clear, { params }),
    }
  }
  return {
    ownerName: 'the whole platform',
    read: (signal: AbortSignal) => request(ttsCache.read, { signal }),
    clear: () => request(ttsCache.clear),
  }
}

/**
 * The TTS cache of an account, of a provider's accounts, or of the platform: its size, and a button that clears it.
 * Rendered inside a form, but not part of the data that it saves.
 */
export const TtsCache = ({ owner = platformOwner }: { owner?: Owner }) => {
  const { ownerName, read, clear } = createCacheRequests(owner)
  const can = useCan()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const [isConfirming, setIsConfirming] = useState(false)
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: namedQueryKey('tts_cache', 'size', owner.service_provider_sid, owner.account_sid),
    queryFn: ({ signal }) => read(signal),
  })
  const clearing = useRecordAction('tts_cache', clear)
  const close = () => {
    setIsConfirming(false)
    clearing.reset()
  }
  const confirmClear = () =>
    clearing.mutate(undefined, {
      onSuccess: () => {
        toast.ok(messages.cleared)
        close()
      },
    })
  return (
    <Section
      title="TTS cache"
      help="Keeps generated speech so the same text is not synthesized twice."
      actions={
        data && can('remove', 'tts_cache', owner) ? (
          <Button size="sm" icon={Trash2} disabled={data.size === 0} onClick={() => setIsConfirming(true)}>
            Clear TTS cache
          </Button>
        ) : null
      }
    >
      {error && !data ? (
        <FailedState
          message={getErrorMessage(error)}
          text="The size of the TTS cache could not be read."
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      ) : null}
      {data ? (
        <p className={css.size}>
          {describeSize(data.size, capabilities === noCapabilities || capabilities?.sharedCache !== false)}
        </p>
      ) : null}
      <ConfirmDialog
        opened={isConfirming}
        title="Clear TTS cache"
        question={`Are you sure you want to clear the TTS cache of ${ownerName}? New calls synthesize their speech again.`}
        confirmLabel="Clear"
        pending={clearing.isPending}
        error={clearing.error ? getErrorMessage(clearing.error) : undefined}
        onConfirm={confirmClear}
        onClose={close}
      />
    </Section>
  )
}
