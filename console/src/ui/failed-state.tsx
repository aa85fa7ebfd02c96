import { CloudOff, RefreshCw } from 'lucide-react'
import { Button } from './button'
import { EmptyState } from './empty-state'

export interface FailedStateProps {
  /** What the server or the line said. */
  message: string
  text?: string
  onRetry?: () => void
  /** A new try is on its way. */
  pending?: boolean
}

/** A load that failed, in the place of what it would have shown. */
export const FailedState = ({ message, text, onRetry, pending }: FailedStateProps) => (
  <EmptyState icon={CloudOff} title={message} text={text} tone="bad">
    {onRetry ? (
      <Button icon={RefreshCw} onClick={onRetry} pending={pending}>
        Try again
      </Button>
    ) : null}
  </EmptyState>
)
