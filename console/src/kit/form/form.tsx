import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/general'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import {
  FormProvider,
  useForm,
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormReturn,
} from 'react-hook-form'
import { FieldRegistryContext, createFieldRegistry, ReadOnlyContext } from '../../fields/field-registry'
import { capitalize } from '../../lib/capitalize'
import { Problem, getErrorMessage } from '../../lib/problem'
import { FormBody, SaveBar } from '../../ui/form/form-layout'
import { Page } from '../../ui/shell/page'
import { FieldSkeleton } from '../../ui/feedback/skeleton'
import { ReadOnlyNote } from '../../ui/form/read-only-note'
import { toast } from '../../ui/feedback/toast'
import { getChangedFields, findConflicts } from './changed-fields'
import { useCopySourceSid } from '../record/duplicate'
import type { FormState, ResourceFormProps } from './form-props'
import {
  focusFirstField,
  focusFirstInvalid,
  focusNextInvalid,
  getErrorsWithoutField,
  omitUnchangedSecrets,
} from './form-focus'
import { headingOf, titleOf } from './form-title'
import { RecordLoadError, useGoneDialog } from './load-errors'
import { useLeaveGuard } from './leave-guard'
import { clearFiltersThatHide } from '../list/list-state'
import { useCanEdit } from '../record/use-can-edit'
import { isRecordGone, fetchRecord, refreshAfterChange, saveRecord } from '../record/record'
import { useDraft } from './use-draft'
import { useSerialTask } from './use-serial-task'
import { countInvalidFields, flattenErrors, createResolver, validateSchema, type FieldErrors } from './resolver'

export type { FieldErrors } from './resolver'

/** The form of a kind of record, for adding and editing. Loads the record, then shows the form. */
export const ResourceForm = <Row, Values extends FieldValues, Loaded extends Row = Row>(
  props: ResourceFormProps<Row, Loaded, Values>,
) => {
  const { resource, sid, read, copy } = props
  const cache = useQueryClient()
  const copied = useCopySourceSid()
  const sourceSid = sid ?? (copy ? copied : undefined)
  const { data, error, refetch, isFetching, isFetchedAfterMount } = useQuery<Loaded>({
    queryKey: [resource.kind, 'read', sourceSid, 'form'],
    queryFn: async ({ signal }) => {
      const found = await (read?.(sourceSid ?? '', signal) ??
        (fetchRecord(resource, sourceSid ?? '', signal) as Promise<Loaded>))
      cache.setQueryData([resource.kind, 'read', sourceSid], found)
      // for the breadcrumbs, which do not know how a kind of record is titled
      cache.setQueryData([resource.kind, 'read', sourceSid, 'title'], resource.title(found))
      return found
    },
    enabled: sourceSid !== undefined,
    // never refetch while the user edits, and never start from stale data
    refetchOnWindowFocus: false,
    refetchOnMount: 'always',
  })
  const heading = headingOf(props, !useCanEdit(resource.kind, data))
  if (sourceSid === undefined) return <Filled key="new" {...props} record={undefined} />
  if (error && data === undefined)
    return (
      <RecordLoadError
        title={heading}
        resource={resource}
        list={props.cancel}
        error={error}
        onRetry={() => void refetch()}
        pending={isFetching}
      />
    )
  if (data === undefined || !isFetchedAfterMount)
    return (
      <Page title={heading}>
        <FieldSkeleton />
      </Page>
    )
  if (sid === undefined) return <Filled key={sourceSid} {...props} record={undefined} like={copy?.(data)} />
  return <Filled key={sid} {...props} record={data} />
}

type FilledProps<Row, Loaded extends Row, Values extends FieldValues> = ResourceFormProps<Row, Loaded, Values> & {
  record: Loaded | undefined
  /** The initial values of a new record. */
  like?: Loaded
}

const Filled = <Row, Loaded extends Row, Values extends FieldValues>(props: FilledProps<Row, Loaded, Values>) => {
  const {
    resource,
    sid,
    record,
    values,
    body = (sent) => sent,
    schema,
    rules,
    validateOnServer,
    nextPath,
    onInvalid,
  } = props
  const adding = sid === undefined
  const cache = useQueryClient()
  const router = useRouter()
  const [facts] = useState(createFieldRegistry)
  const turns = useSerialTask()
  const element = useRef<HTMLElement | null>(null)
  const lastFocused = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const shown = adding ? document.getElementById('main')?.querySelector('form') : undefined
    if (shown) focusFirstField(shown)
  }, [adding])

  const [first] = useState(() => values(record ?? props.like))
  /** The values that the fields were last filled from. */
  const begun = useRef(first)
  const form: UseFormReturn<Values> = useForm<Values>({
    defaultValues: first as DefaultValues<Values>,
    mode: 'onTouched',
    shouldFocusError: false,
    resolver: createResolver<Values>(
      facts,
      (now) => ({
        ...(schema ? validateSchema(schema, body(now, record), facts.labels) : {}),
        ...rules?.(now, record),
      }),
      (path) =>
        facts.changed.has(path) || form.getFieldState(path as Path<Values>).invalid || form.formState.isSubmitted,
    ),
  })
  const { errors, isDirty, dirtyFields } = form.formState
  const guard = useLeaveGuard(isDirty)
  const gone = useGoneDialog({ resource, list: props.cancel, letGo: guard.letGo })
  const mayChange = useCanEdit(resource.kind, record)
  // users who may not add a record cannot open the add page
  const readOnly = !adding && !mayChange
  useDraft(form, { readOnly, adding, begun: () => begun.current })
  const replaceInitialValues: FormState<Loaded, Values>['replaceInitialValues'] = (from) =>
    settle(from(begun.current), begun.current)
  const state: FormState<Loaded, Values> = { form, record, adding, readOnly, replaceInitialValues }
  const blockReason = props.blockReason?.(state)

  const key = [resource.kind, 'read', sid, 'form']
  /** The current record. A recent save may not have been rendered yet. */
  const present = () => (adding ? undefined : (cache.getQueryData<Loaded>(key) ?? record))

  const show = (faults: FieldErrors) => {
    for (const [path, message] of Object.entries(faults))
      form.setError(path as Path<Values>, { type: 'server', message })
    point(faults)
  }
  const point = (faults: FieldErrors) => {
    const unseen = getErrorsWithoutField(faults, facts)[0]
    if (unseen) toast.bad(unseen)
    onInvalid?.(Object.keys(faults))
    if (element.current) focusFirstInvalid(element.current)
  }

  const goToNextWrong = () => {
    const shown = document.getElementById('main')?.querySelector('form')
    if (!shown) return
    if (focusNextInvalid(shown, lastFocused.current)) return
    // all invalid fields are in closed tabs
    element.current = shown
    point(flattenErrors(errors))
  }

  /**
   * Another user has saved first. Loads their values, keeps this user's changes, and marks the fields that both have
   * changed.
   */
  const catchUp = async (error: Problem) => {
    await cache.refetchQueries({ queryKey: key, exact: true })
    const theirs = values(present())
    const both = findConflicts(form.getValues(), theirs, begun.current)
    settle(theirs, begun.current)
    for (const name of both) form.setError(name as Path<Values>, { type: 'server', message: messages.fieldConflict })
    toast.bad(`${error.msg} ${messages.inputKept}`)
  }

  const refused = async (error: unknown) => {
    if (error instanceof Problem && error.hasEndedSession) return
    if (error instanceof Problem && error.status === 409 && !adding) return catchUp(error)
    const field = error instanceof Problem ? error.field : undefined
    if (field && facts.labels.has(field)) {
      toast.bad(getErrorMessage(error))
      return show({ [field]: getErrorMessage(error) })
    }
    if (sid !== undefined && (await isRecordGone(resource, sid))) return gone.tell()
    toast.bad(getErrorMessage(error))
  }

  const store = (sent: Values) => {
    const requestBody = body(sent, present())
    const lean = adding ? requestBody : omitUnchangedSecrets(requestBody, facts, dirtyFields)
    if (props.save) return props.save(lean, { sid, values: sent, record: present() })
    return saveRecord(resource, adding ? { draft: lean } : { sid, changes: lean })
  }

  /** Resets the form to the saved values. Input from during the save stays, as an unsaved change. */
  const settle = (fresh: Values, sent: Values) => {
    const typed = form.getValues()
    begun.current = fresh
    form.reset(fresh)
    const changedFields = getChangedFields(typed, sent)
    // not with `setValue` per field: right after a reset, the form library does not know which fields are arrays
    if (Object.keys(changedFields).length > 0) form.reset({ ...fresh, ...changedFields }, { keepDefaultValues: true })
  }

  const finish = async (saved: string, sent: Values) => {
    const to = nextPath(saved, adding)
    // mark the values as saved now: a user who leaves at once has no unsaved changes
    if (to === undefined) settle(sent, sent)
    toast.ok(adding ? props.addedMessage : props.savedMessage)
    if (adding) clearFiltersThatHide(titleOf(resource, sent), sent)
    void refreshAfterChange(cache, resource.kind)
    if (to !== undefined) {
      guard.letGo()
      await router.navigate({ to })
      return
    }
    // waits only for the record itself, not for related data
    await cache.refetchQueries({ queryKey: key, exact: true }, { cancelRefetch: false })
    settle(values(present()), sent)
  }

  /** Returns true if everything was saved. */
  const send = async (sent: Values): Promise<boolean> => {
    try {
      const faults = (await validateOnServer?.(sent, present())) ?? {}
      if (Object.keys(faults).length === 0) {
        await finish(await store(sent), sent)
        return true
      }
      show(faults)
    } catch (error) {
      await refused(error)
    }
    return false
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // a dialog inside the page may contain its own form
    event.stopPropagation()
    if (readOnly || blockReason) return
    const formElement = event.currentTarget
    element.current = formElement
    const save = async () => {
      let saved = false
      for (const path of facts.labels.keys()) facts.changed.add(path)
      await form.handleSubmit(
        async (sent) => void (saved = await send(sent)),
        (wrong) => point(flattenErrors(wrong)),
      )(event)
      return (
        saved && formElement.isConnected && Object.keys(getChangedFields(form.getValues(), begun.current)).length > 0
      )
    }
    await turns.take(save, () => formElement.requestSubmit())
  }

  return (
    <FieldRegistryContext.Provider value={facts}>
      <FormProvider {...form}>
        <FormBody
          title={headingOf(props, readOnly)}
          required={readOnly ? undefined : messages.asterisk}
          readOnly={readOnly}
          actions={props.actions?.(state)}
          aside={props.aside?.(state)}
          onSubmit={(event) => void submit(event)}
          onFocus={({ target }) => {
            // a select is a button too
            const button = target.closest('button')
            if (!button || button.role === 'combobox') lastFocused.current = target
          }}
          bar={
            readOnly ? undefined : (
              <SaveBar
                wrong={countInvalidFields(errors)}
                onNextWrong={goToNextWrong}
                pending={turns.busy}
                message={blockReason}
                disabled={blockReason !== undefined}
                cancel={props.cancel ? { href: props.cancel } : undefined}
              />
            )
          }
        >
          {readOnly ? (
            <ReadOnlyNote>
              {props.viewOnlyReason ?? messages.mayNotChange(capitalize(resource.noun.singular))}
            </ReadOnlyNote>
          ) : null}
          <ReadOnlyContext value={readOnly}>
            {typeof props.children === 'function' ? props.children(state) : props.children}
          </ReadOnlyContext>
        </FormBody>
        {guard.dialog}
        {gone.dialog}
      </FormProvider>
    </FieldRegistryContext.Provider>
  )
}
