import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../button'
import { CopyButton } from '../copy'
import css from './masked-secret.module.css'

/** Masks all but the last four characters. A secret of up to four characters is masked completely. */
export const maskSecret = (value: string) =>
  value.length > 4 ? '•'.repeat(Math.min(value.length - 4, 12)) + value.slice(-4) : '•'.repeat(value.length)

export interface MaskedSecretProps {
  value: string
  /** Name of the secret, for the button labels: 'Show API key'. */
  label: string
  /** False if the server already masked the secret; the buttons are then hidden. */
  revealable?: boolean
}

/** A masked secret that shows its last four characters. It can be revealed, and copied without revealing it. */
export const MaskedSecret = ({ value, label, revealable = true }: MaskedSecretProps) => {
  const [isRevealed, setIsRevealed] = useState(false)
  return (
    <span className={css.secret}>
      <span className={css.value} data-revealed={isRevealed || undefined}>
        {revealable && !isRevealed ? maskSecret(value) : value}
      </span>
      {revealable ? (
        <>
          <IconButton
            icon={isRevealed ? EyeOff : Eye}
            iconSize={14}
            size="sm"
            label={`${isRevealed ? 'Hide' : 'Show'} ${label}`}
            onClick={() => setIsRevealed(!isRevealed)}
          />
          <CopyButton text={value} label={`Copy ${label}`} displayText={maskSecret(value)} />
        </>
      ) : null}
    </span>
  )
}
