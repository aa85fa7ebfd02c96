import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/plan'
import { extendTrial } from '@trunkline/contract/resources/subscription'
import type { Account } from '@trunkline/contract/shapes/account'
import { useState, type FormEvent } from 'react'
import { focusFirstInvalid } from '../../kit/form/form-focus'
import { refreshAfterChange } from '../../kit/record/record'
import { getExpiry, toDateInput } from '../../panels/api-key-expiry'
import { request } from '../../lib/client'
import { getFeatureFlags } from '../../lib/feature-flags'
import { Problem, getErrorMessage } from '../../lib/problem'
import { FormDialog } from '../../ui/dialog/form-dialog'
import { TextField } from '../../ui/form/text-field'

const dayMs = 86_400_000

/** The suggested end: the length of a trial after the present end or, if that is over, after today. */
const suggestEnd = (trialEnd: string | null) => {
  const startMs = Math.max(Date.now(), trialEnd ? new Date(trialEnd).getTime() : 0)
  return toDateInput(new Date(startMs + getFeatureFlags().trial.days * dayMs))
}

/** Changes the end of a trial. The caller shows errors. */
export const useExtendTrial = (account_sid: string) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (trial_end_date: string) => request(extendTrial, { params: { account_sid }, body: { trial_end_date } }),
    meta: { suppressErrorToast: true },
    onSuccess: () => refreshAfterChange(cache, 'account'),
  })
}

interface ExtendTrialProps {
  row: Account
  title: string
  /** Called with the new end, ISO 8601. */
  onExtended: (trialEnd: string) => void
  onClose: () => void
}

/** The dialog that changes the end of a trial, or starts one again. */
export const ExtendTrial = ({ row, title, onExtended, onClose }: ExtendTrialProps) => {
  const { account_sid, name, trial_end_date } = row
  const [date, setDate] = useState(() => suggestEnd(trial_end_date))
  const [errorText, setErrorText] = useState<string>()
  const extend = useExtendTrial(account_sid)
  const serverError = extend.error ? getErrorMessage(extend.error) : undefined
  const isFieldError = extend.error instanceof Problem && extend.error.field === 'trial_end_date'
  const fieldError = errorText ?? (isFieldError ? serverError : undefined)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // This dialog is inside another form, which must not be submitted as well.
    event.stopPropagation()
    const form = event.currentTarget
    const end = getExpiry('date', date)
    if (!end || end <= new Date()) {
      setErrorText(messages.chooseTrialEnd)
      return focusFirstInvalid(form)
    }
    extend.mutate(end.toISOString(), {
      onSuccess: () => onExtended(end.toISOString()),
      onError: () => focusFirstInvalid(form),
    })
  }
  return (
    <FormDialog
      opened
      title={title}
      description={<strong>{name}</strong>}
      submitLabel={title}
      pending={extend.isPending}
      error={isFieldError ? undefined : serverError}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Trial ends"
        type="date"
        required
        autoFocus
        help={messages.extendTrialHelp}
        min={toDateInput(new Date())}
        value={date}
        {...(fieldError ? { error: fieldError } : {})}
        onChange={({ currentTarget }) => {
          setDate(currentTarget.value)
          setErrorText(undefined)
          extend.reset()
        }}
      />
    </FormDialog>
  )
}
