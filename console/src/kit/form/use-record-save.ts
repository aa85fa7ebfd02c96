import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/form'
import type { FormEvent } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { Problem, getErrorMessage } from '../../lib/problem'
import { formRecordKey } from '../../lib/query-keys'
import { toast } from '../../ui/feedback/toast'
import { clearFiltersThatHide } from '../list/list-state'
import { isRecordGone, refreshAfterChange, saveRecord } from '../record/record'
import { findConflicts } from './changed-fields'
import { omitUnchangedSecrets } from './form-focus'
import { getRecordTitle } from './form-title'
import { flattenErrors, type FieldErrors } from './resolver'
import { toRequestBody, type RecordFormProps, type useRecordForm } from './use-record-form'
import { useSerialTask } from './use-serial-task'

interface RecordSaveOptions<Row, Loaded extends Row, Values extends FieldValues> {
  props: RecordFormProps<Row, Loaded, Values>
  recordForm: ReturnType<typeof useRecordForm<Row, Loaded, Values>>
  /** The form cannot be saved now. */
  isBlocked: boolean
  formElement: { current: HTMLElement | null }
  focusErrors: (errors: FieldErrors) => void
  /** Leaves the screen without the question about unsaved changes. */
  allowLeaving: () => void
  /** Tells the user that the record was deleted. */
  showGoneDialog: () => void
}

/** Shows why a record was not saved. */
const useSaveErrors = <Row, Loaded extends Row, Values extends FieldValues>(
  {
    props: { resource, sid, values },
    recordForm: { form, registry, initialValues, refill, setErrors },
    focusErrors,
    showGoneDialog,
  }: Pick<RecordSaveOptions<Row, Loaded, Values>, 'props' | 'recordForm' | 'focusErrors' | 'showGoneDialog'>,
  getLatestRecord: () => Loaded | undefined,
) => {
  const cache = useQueryClient()

  const showErrors = (errors: FieldErrors) => {
    setErrors(errors)
    focusErrors(errors)
  }

  /**
   * Another user has saved first. Loads their values, keeps this user's changes, and marks the fields that both have
   * changed.
   */
  const loadConflictingChanges = async (error: Problem) => {
    await cache.refetchQueries({ queryKey: formRecordKey(resource.kind, sid), exact: true })
    const storedValues = values(getLatestRecord())
    const conflicts = findConflicts(form.getValues(), storedValues, initialValues.current)
    refill(storedValues, initialValues.current)
    setErrors(Object.fromEntries(conflicts.map((name) => [name, messages.fieldConflict])))
    toast.bad(`${error.msg} ${messages.inputKept}`)
  }

  const showRefusal = async (error: unknown) => {
    if (error instanceof Problem && error.hasEndedSession) return
    if (error instanceof Problem && error.status === 409 && sid !== undefined) return loadConflictingChanges(error)
    const field = error instanceof Problem ? error.field : undefined
    if (field && registry.labels.has(field)) {
      toast.bad(getErrorMessage(error))
      return showErrors({ [field]: getErrorMessage(error) })
    }
    if (sid !== undefined && (await isRecordGone(resource, sid))) return showGoneDialog()
    toast.bad(getErrorMessage(error))
  }

  return { showErrors, showRefusal }
}

/** Saves the record of a form, and shows the errors of the server. */
export const useRecordSave = <Row, Loaded extends Row, Values extends FieldValues>({
  props,
  recordForm,
  isBlocked,
  formElement,
  focusErrors,
  allowLeaving,
  showGoneDialog,
}: RecordSaveOptions<Row, Loaded, Values>) => {
  const { resource, sid, record, values, validateOnServer, nextPath } = props
  const { form, registry, refill, hasUnsavedInput } = recordForm
  const isNew = sid === undefined
  const cache = useQueryClient()
  const router = useRouter()
  const serialTask = useSerialTask()
  const formKey = formRecordKey(resource.kind, sid)
  /** The record as last read. A recent save may not have been rendered yet. */
  const getLatestRecord = () => (isNew ? undefined : (cache.getQueryData<Loaded>(formKey) ?? record))

  const { showErrors, showRefusal } = useSaveErrors({ props, recordForm, focusErrors, showGoneDialog }, getLatestRecord)

  /** Stores the record and returns its SID. */
  const store = (submitted: Values) => {
    const fullBody = toRequestBody(props, submitted, getLatestRecord())
    const isChanged = (name: string) => form.getFieldState(name as Path<Values>).isDirty
    const body = isNew ? fullBody : omitUnchangedSecrets(fullBody, registry, isChanged)
    if (props.save) return props.save(body, { sid, values: submitted, record: getLatestRecord() })
    return saveRecord(resource, isNew ? { draft: body } : { sid, changes: body })
  }

  const finish = async (savedSid: string, submitted: Values) => {
    const path = nextPath(savedSid, isNew)
    // mark the values as saved now: a user who leaves immediately has no unsaved changes
    if (path === undefined) refill(submitted, submitted)
    toast.ok(isNew ? props.addedMessage : props.savedMessage)
    if (isNew) clearFiltersThatHide(getRecordTitle(resource, submitted), submitted)
    void refreshAfterChange(cache, resource.kind)
    if (path !== undefined) {
      allowLeaving()
      await router.navigate({ to: path })
      return
    }
    // waits only for the record itself, not for related data
    await cache.refetchQueries({ queryKey: formKey, exact: true }, { cancelRefetch: false })
    refill(values(getLatestRecord()), submitted)
  }

  /** Returns true if everything was saved. */
  const save = async (submitted: Values): Promise<boolean> => {
    try {
      const errors = (await validateOnServer?.(submitted, getLatestRecord())) ?? {}
      if (Object.keys(errors).length === 0) {
        await finish(await store(submitted), submitted)
        return true
      }
      showErrors(errors)
    } catch (error) {
      await showRefusal(error)
    }
    return false
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // a dialog inside the screen may contain its own form
    event.stopPropagation()
    if (isBlocked) return
    const submittedForm = event.currentTarget
    formElement.current = submittedForm
    const validateAndSave = async () => {
      let isSaved = false
      for (const path of registry.labels.keys()) registry.changed.add(path)
      await form.handleSubmit(
        async (submitted) => void (isSaved = await save(submitted)),
        (errors) => focusErrors(flattenErrors(errors)),
      )(event)
      return isSaved && submittedForm.isConnected && hasUnsavedInput()
    }
    await serialTask.run(validateAndSave, () => submittedForm.requestSubmit())
  }
  return { submit, isSaving: serialTask.isRunning }
}
