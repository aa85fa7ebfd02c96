import { CloudOff, RefreshCw } from 'lucide-react'
import { splitRequestId } from '@trunkline/contract/messages/request-id'
import { Button } from '../button'
import { EmptyState } from './empty-state'
import { RequestId } from './error-text'

export interface FailedStateProps {
  /** Error message of the server or the network. */
  message: string
  text?: string
  onRetry?: () => void
  /** A retry is running. */
  pending?: boolean
}

/** Replaces content that failed to load. */
export const FailedState = ({ message, text, onRetry, pending }: FailedStateProps) => (
  <EmptyState icon={CloudOff} title={splitRequestId(message).message} text={text} tone="bad">
    {onRetry ? (
      <Button icon={RefreshCw} onClick={onRetry} pending={pending}>
        Try again
      </Button>
    ) : null}
    <RequestId message={message} />
  </EmptyState>
)
