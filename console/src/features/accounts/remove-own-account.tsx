import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/account'
import { account } from '@trunkline/contract/resources/account'
import type { Account } from '@trunkline/contract/shapes/account'
import { Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { focusFirstWrong } from '../../kit/form/form-focus'
import { groupsOf, type Use } from '../../kit/record/dependents'
import { requestUntyped } from '../../lib/client'
import { featureFlags } from '../../lib/feature-flags'
import { Problem, sayProblem } from '../../lib/problem'
import { meQuery } from '../../session/me-query'
import { leaveSession, useCan } from '../../session/session'
import { Button } from '../../ui/button'
import { FormDialog } from '../../ui/dialog/form-dialog'
import { InUseDialog } from '../../ui/dialog/in-use-dialog'
import { PasswordField, TextField } from '../../ui/form/text-field'
import { toast } from '../../ui/feedback/toast'
import { usesOfAccount } from './lazy-dependents'

const { words, wordsDiffer } = messages.removeOwn

interface Faults {
  words?: string
  password?: string
  form?: string
}

/**
 * Assigns the error to the password field if the server's field or message refers to the password, otherwise to the
 * form.
 */
const faultsOf = (error: unknown): Faults => {
  if (error instanceof Problem && error.hasEndedSession) return {}
  const text = sayProblem(error)
  const aboutPassword = error instanceof Problem && (error.field === 'password' || /password/i.test(text))
  return aboutPassword ? { password: text } : { form: text }
}

const Asking = ({ row, onClose, onUses }: { row: Account; onClose: () => void; onUses: (uses: Use[]) => void }) => {
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [pending, setPending] = useState(false)
  const { data } = useQuery(meQuery)
  // users of an external identity provider have no password here
  const local = (data?.user.provider ?? 'local') === 'local'

  const run = async () => {
    // a hosted subscriber may delete everything at once; elsewhere, the dependents have to be removed first
    const uses = featureFlags().hosted ? [] : await usesOfAccount(row)
    if (uses.length > 0) return onUses(uses)
    await requestUntyped(account.remove, {
      params: { account_sid: row.account_sid },
      body: local ? { password } : {},
    })
    toast.ok(messages.removed(row.name))
    leaveSession()
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // the dialog is inside the account's form
    event.stopPropagation()
    const wrong: Faults = {
      ...(typed === words ? {} : { words: wordsDiffer }),
      ...(local && password === '' ? { password: 'Password is required.' } : {}),
    }
    const form = event.currentTarget
    const refuse = (why: Faults) => {
      setFaults(why)
      focusFirstWrong(form)
    }
    if (Object.keys(wrong).length > 0) return refuse(wrong)
    setFaults({})
    setPending(true)
    await run().catch((error: unknown) => refuse(faultsOf(error)))
    setPending(false)
  }

  return (
    <FormDialog
      opened
      title="Delete account"
      lede={
        <>
          This deletes the account <strong>{row.name}</strong> with everything in it, and ends your session. To go on,
          type <strong>{words}</strong>.
        </>
      }
      submit="Delete"
      tone="danger"
      pending={pending}
      error={faults.form}
      onSubmit={(event) => void submit(event)}
      onClose={onClose}
    >
      <TextField
        label="Delete message"
        withAsterisk
        required
        data-autofocus
        autoComplete="off"
        placeholder={words}
        value={typed}
        error={faults.words}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {local ? (
        <PasswordField
          label="Password"
          withAsterisk
          required
          autoComplete="current-password"
          value={password}
          error={faults.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      ) : null}
    </FormDialog>
  )
}

/** Deletes the signed-in user's account. The user types a confirmation and the password. */
export const RemoveOwn = ({ row }: { row: Account }) => {
  const can = useCan()
  const [asking, setAsking] = useState(false)
  const [uses, setUses] = useState<Use[]>()
  if (!can('remove', 'account', row)) return null
  return (
    <>
      <Button icon={Trash2} onClick={() => setAsking(true)}>
        Delete
      </Button>
      {asking ? (
        <Asking
          row={row}
          onClose={() => setAsking(false)}
          onUses={(found) => {
            setAsking(false)
            setUses(found)
          }}
        />
      ) : null}
      <InUseDialog
        opened={uses !== undefined}
        name={row.name}
        groups={groupsOf(uses ?? [])}
        onClose={() => setUses(undefined)}
      />
    </>
  )
}
