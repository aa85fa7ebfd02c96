import { Minus, Plus } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { FieldMessage } from './field-message'
import { useFieldIds } from './field'
import css from './stepper.module.css'

export interface StepperProps {
  /** Names the field for screen readers; the text beside it is visible. */
  label: string
  /** Id of the element that explains the field. */
  helpId?: string
  /** What the user has typed. */
  text: string
  /** The typed number; undefined if it is invalid. */
  value: number | undefined
  min: number
  max: number
  error?: string
  disabled?: boolean
  onText: (text: string) => void
  onStep: (by: number) => void
  onBlur: () => void
}

const stepByKey: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }

/** A field for a whole number, with buttons that add or subtract one. */
export const Stepper = ({
  label,
  helpId,
  text,
  value,
  min,
  max,
  error,
  disabled,
  onText,
  onStep,
  onBlur,
}: StepperProps) => {
  const ids = useFieldIds({ error })
  const stepOnKey = (event: KeyboardEvent) => {
    const step = stepByKey[event.key]
    if (step === undefined) return
    event.preventDefault()
    onStep(step)
  }
  return (
    <div className={css.field}>
      <div className={css.stepper} data-invalid={error ? true : undefined}>
        <button
          type="button"
          aria-label={`${label}: one less`}
          disabled={disabled || (value !== undefined && value <= min)}
          onClick={() => onStep(-1)}
        >
          <Minus size={14} strokeWidth={2} aria-hidden="true" />
        </button>
        <input
          id={ids.controlId}
          inputMode="numeric"
          autoComplete="off"
          aria-label={label}
          aria-required="true"
          aria-invalid={error ? true : undefined}
          aria-describedby={[helpId, ids.errorId].filter(Boolean).join(' ') || undefined}
          value={text}
          disabled={disabled}
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={stepOnKey}
          onBlur={onBlur}
        />
        <button
          type="button"
          aria-label={`${label}: one more`}
          disabled={disabled || (value !== undefined && value >= max)}
          onClick={() => onStep(1)}
        >
          <Plus size={14} strokeWidth={2} aria-hidden="true" />
        </button>
      </div>
      {error ? <FieldMessage id={ids.errorId}>{error}</FieldMessage> : null}
    </div>
  )
}
