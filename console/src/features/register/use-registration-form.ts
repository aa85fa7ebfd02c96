import { useNavigate } from '@tanstack/react-router'
import { messages as registrationMessages } from '@trunkline/contract/messages/registration'
import { messages } from '@trunkline/contract/messages/sign-up'
import { isEmail } from '@trunkline/contract/session/email'
import { toPasswordRule, minPasswordLengthLimit } from '@trunkline/contract/session/password'
import { useRef, useState, type ChangeEvent, type FormEvent } from 'react'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { Problem, getErrorMessage } from '../../lib/problem'
import { localValues, sessionValues } from '../../lib/storage'
import { describePasswordErrors } from '../../panels/password-rules'
import { waitForPointerRelease } from '../../kit/record/pointer-press'
import { readRegistration, storeRegistration } from '../../session/registration'
import { clearToasts, toast } from '../../ui/feedback/toast'
import {
  findRefusedField,
  registerWithPassword,
  type RegistrationField,
  type RegistrationInput,
} from './registration-request'

/** The rule for the password of a new account. */
export const getRegistrationPasswordRule = () =>
  toPasswordRule(getFeatureFlags().passwordSettings ?? { min_password_length: minPasswordLengthLimit })

/** The fields of the form, in their order on the screen. */
const getFields = (): RegistrationField[] =>
  getFeatureFlags().requiresInviteCode ? ['inviteCode', 'email', 'password'] : ['email', 'password']

const findError = (field: RegistrationField, { email, password, inviteCode }: RegistrationInput) => {
  if (field === 'email') return isEmail(email.trim()) ? undefined : messages.invalidEmail
  if (field === 'password') return describePasswordErrors(password, getRegistrationPasswordRule())
  return inviteCode.trim() ? undefined : messages.inviteCodeRequired
}

type FieldErrors = Partial<Record<RegistrationField, string>>

/** The state of the form: its input, the validation on blur and on submit, and the registration. */
export const useRegistrationForm = () => {
  const navigate = useNavigate()
  const [input, setInput] = useState<RegistrationInput>(() => ({
    // the address of an earlier attempt, to correct it
    email: readRegistration()?.email ?? '',
    password: '',
    inviteCode: sessionValues.inviteCode.get() ?? '',
  }))
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isPending, setIsPending] = useState(false)
  const inputs = {
    email: useRef<HTMLInputElement>(null),
    password: useRef<HTMLInputElement>(null),
    inviteCode: useRef<HTMLInputElement>(null),
  }

  const showRefusal = (error: unknown) => {
    const field = error instanceof Problem ? findRefusedField(error) : undefined
    if (!field || !getFields().includes(field)) return void toast.bad(getErrorMessage(error))
    setErrors({ [field]: getErrorMessage(error) })
    inputs[field].current?.focus()
  }

  const register = async () => {
    const email = input.email.trim()
    setIsPending(true)
    try {
      const { jwt, user_sid, root_domain } = await registerWithPassword({
        email,
        password: input.password,
        inviteCode: input.inviteCode.trim(),
      })
      storeRegistration({ jwt, user_sid, email, codeSentAt: Date.now() })
      if (root_domain) localValues.rootDomain.set(root_domain)
      clearToasts()
      await navigate({ to: paths.verifyEmail })
    } catch (error) {
      showRefusal(error)
      setIsPending(false)
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    const inputErrors = Object.fromEntries(getFields().map((field) => [field, findError(field, input)])) as FieldErrors
    setErrors(inputErrors)
    const invalidField = getFields().find((field) => inputErrors[field])
    if (invalidField) inputs[invalidField].current?.focus()
    else void register()
  }

  const validate = (field: RegistrationField) => {
    // an empty field is an error only on submit, and a refusal of the server remains until the input changes
    if (input[field] !== '')
      setErrors((current) => ({ ...current, [field]: current[field] ?? findError(field, input) }))
  }
  const bindField = (field: RegistrationField) => ({
    ref: inputs[field],
    value: input[field],
    error: errors[field],
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
      setInput((current) => ({ ...current, [field]: value }))
      setErrors((current) => ({ ...current, [field]: undefined }))
    },
    onBlur: () => void (waitForPointerRelease()?.then(() => validate(field)) ?? validate(field)),
  })
  /** The address belongs to an account. Only v1 servers reveal this. */
  const isEmailTaken = errors.email === registrationMessages.emailExists
  return { isPending, isEmailTaken, submit, bindField }
}
