import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/general'
import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import {
  FormProvider,
  useForm,
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormReturn,
} from 'react-hook-form'
import type { z } from 'zod'
import { FormFactsContext, makeFacts, ReadOnlyContext } from '../fields/form-facts'
import { Problem, sayProblem } from '../lib/problem'
import { useProviderSid } from '../session/provider'
import { useCan } from '../session/session'
import { FailedState } from '../ui/failed-state'
import { FormBody, SaveBar } from '../ui/form-layout'
import { Page } from '../ui/page'
import { ReadOnlyNote } from '../ui/read-only-note'
import { toast } from '../ui/toast'
import { changed } from './changed'
import { focusFirstWrong, homeless, withoutUntouched } from './form-parts'
import { useLeaveGuard } from './leave-guard'
import { ownerBelow, readOne, refreshAfter, saveOne, type Screened } from './record'
import { useDraft } from './use-draft'
import { countWrong, pathsOf, resolverOf, schemaFaults, type Faults } from './resolve'

export type { Faults } from './resolve'

/** What a form knows while it is on screen. */
export interface FormState<Loaded, Values extends FieldValues> {
  form: UseFormReturn<Values>
  /** The record that is edited; undefined while one is added. */
  record: Loaded | undefined
  adding: boolean
  /** The person may look only: every field is read-only, and Save is off. */
  readOnly: boolean
}

export interface Saving<Loaded, Values> {
  sid: string | undefined
  values: Values
  record: Loaded | undefined
}

export interface ResourceFormProps<Row, Loaded extends Row, Values extends FieldValues> {
  of: Screened<Row>
  /** The record to edit; absent: one is added. */
  sid?: string
  /** The h1: { add: 'Add account', edit: 'Edit account' }. */
  title: { add: string; edit: string }
  /** How the record is read, when one call is not enough: the row and more. */
  read?: (sid: string, signal: AbortSignal) => Promise<Loaded>
  /** The form's first values. */
  values: (record: Loaded | undefined) => Values
  /** The body that is sent; the values unless said. `schema` checks it. */
  body?: (values: Values, record: Loaded | undefined) => unknown
  /** The contract's shape of that body: create or update. */
  schema?: z.ZodType
  /** More rules, asked with each check: faults by field. */
  rules?: (values: Values, record: Loaded | undefined) => Faults
  /** Rules that have to ask the server; asked on save. */
  before?: (values: Values, record: Loaded | undefined) => Promise<Faults>
  /** How it is saved, when one call is not enough; answers the sid. */
  save?: (body: unknown, saving: Saving<Loaded, Values>) => Promise<string>
  /** The toasts after it. */
  added: string
  saved: string
  /** Where to go after it; undefined: stay, with the record read anew. */
  after: (sid: string, adding: boolean) => string | undefined
  cancel?: string
  /** Why nothing can be saved as things stand: said beside Save, which is off. */
  blocked?: (state: FormState<Loaded, Values>) => string | undefined
  actions?: (state: FormState<Loaded, Values>) => ReactNode
  aside?: (state: FormState<Loaded, Values>) => ReactNode
  /** Told which fields are wrong before the first of them gets the focus: a tab may have to open. */
  onWrong?: (paths: string[]) => void
  children: ReactNode | ((state: FormState<Loaded, Values>) => ReactNode)
}

/** The form of a kind of record, for adding and for editing: loads the record, then shows the form. */
export const ResourceForm = <Row, Values extends FieldValues, Loaded extends Row = Row>(
  props: ResourceFormProps<Row, Loaded, Values>,
) => {
  const { of, sid, title, read } = props
  const cache = useQueryClient()
  const { data, error, refetch, isFetching, isFetchedAfterMount } = useQuery<Loaded>({
    queryKey: [of.kind, 'read', sid, 'form'],
    queryFn: async ({ signal }) => {
      const found = await (read?.(sid ?? '', signal) ?? (readOne(of, sid ?? '', signal) as Promise<Loaded>))
      cache.setQueryData([of.kind, 'read', sid], found)
      return found
    },
    enabled: sid !== undefined,
    // what is being edited does not change under the hands, and does not begin with what was true a while ago
    refetchOnWindowFocus: false,
    refetchOnMount: 'always',
  })
  if (sid === undefined) return <Filled {...props} record={undefined} />
  if (error && data === undefined)
    return (
      <Page title={title.edit}>
        <FailedState
          message={sayProblem(error)}
          text={`The ${of.noun.one} could not be loaded.`}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      </Page>
    )
  if (data === undefined || !isFetchedAfterMount) return <Page title={title.edit} />
  return <Filled key={sid} {...props} record={data} />
}

/** Asks the policy about the record that is edited; who may not add one does not come to the page. */
const useMayChange = <Row,>(of: Screened<Row>, record: Row | undefined) => {
  const can = useCan()
  const provider = useProviderSid()
  return record === undefined || can('update', of.kind, ownerBelow(record, provider))
}

const capital = (noun: string) => noun.charAt(0).toUpperCase() + noun.slice(1)

type FilledProps<Row, Loaded extends Row, Values extends FieldValues> = ResourceFormProps<Row, Loaded, Values> & {
  record: Loaded | undefined
}

const Filled = <Row, Loaded extends Row, Values extends FieldValues>(props: FilledProps<Row, Loaded, Values>) => {
  const { of, sid, title, record, values, body = (sent) => sent, schema, rules, before, after, onWrong } = props
  const adding = sid === undefined
  const cache = useQueryClient()
  const router = useRouter()
  const [facts] = useState(makeFacts)
  const [busy, setBusy] = useState(false)
  const atWork = useRef(false)
  const element = useRef<HTMLElement | null>(null)

  const form = useForm<Values>({
    defaultValues: values(record) as DefaultValues<Values>,
    mode: 'onTouched',
    shouldFocusError: false,
    resolver: resolverOf<Values>(facts, (now) => ({
      ...(schema ? schemaFaults(schema, body(now, record), facts.labels) : {}),
      ...rules?.(now, record),
    })),
  })
  const { errors, isDirty, dirtyFields } = form.formState
  const guard = useLeaveGuard(isDirty)
  const readOnly = !useMayChange(of, record)
  useDraft(form, readOnly)
  const state: FormState<Loaded, Values> = { form, record, adding, readOnly }
  const blocked = props.blocked?.(state)

  const show = (faults: Faults) => {
    for (const [path, message] of Object.entries(faults))
      form.setError(path as Path<Values>, { type: 'server', message })
    point(faults)
  }
  const point = (faults: Faults) => {
    const unseen = homeless(faults, facts)[0]
    if (unseen) toast.bad(unseen)
    onWrong?.(Object.keys(faults))
    if (element.current) focusFirstWrong(element.current)
  }

  const refused = (error: unknown) => {
    if (error instanceof Problem && error.ended) return
    const field = error instanceof Problem ? error.field : undefined
    if (field && facts.labels.has(field)) show({ [field]: sayProblem(error) })
    else toast.bad(sayProblem(error))
  }

  const store = (sent: Values) => {
    const whole = body(sent, record)
    const lean = adding ? whole : withoutUntouched(whole, facts, dirtyFields)
    if (props.save) return props.save(lean, { sid, values: sent, record })
    return saveOne(of, adding ? { draft: lean } : { sid, changes: lean })
  }

  /** Begins anew from what is saved; what was typed while that was under way stays, as the next change. */
  const settle = (fresh: Values, sent: Values) => {
    const typed = form.getValues()
    form.reset(fresh)
    for (const name of Object.keys(changed(typed, sent)))
      form.setValue(name as Path<Values>, typed[name] as PathValue<Values, Path<Values>>, { shouldDirty: true })
  }

  const finish = async (saved: string, sent: Values) => {
    const to = after(saved, adding)
    // who leaves at once leaves nothing unsaved behind
    if (to === undefined) settle(sent, sent)
    toast.ok(adding ? props.added : props.saved)
    const refreshed = refreshAfter(cache, of.kind)
    if (to !== undefined) {
      guard.letGo()
      await router.navigate({ to })
      return
    }
    await refreshed
    settle(values(cache.getQueryData<Loaded>([of.kind, 'read', sid, 'form']) ?? record), sent)
  }

  const send = async (sent: Values) => {
    try {
      const faults = (await before?.(sent, record)) ?? {}
      if (Object.keys(faults).length > 0) return show(faults)
      await finish(await store(sent), sent)
    } catch (error) {
      refused(error)
    }
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // a dialog inside the page may have a form of its own
    event.stopPropagation()
    if (atWork.current || readOnly || blocked) return
    element.current = event.currentTarget
    atWork.current = true
    setBusy(true)
    await form.handleSubmit(send, (wrong) => point(pathsOf(wrong)))(event)
    atWork.current = false
    setBusy(false)
  }

  return (
    <FormFactsContext.Provider value={facts}>
      <FormProvider {...form}>
        <FormBody
          title={adding ? title.add : title.edit}
          lede={readOnly ? undefined : messages.asterisk}
          actions={props.actions?.(state)}
          aside={props.aside?.(state)}
          onSubmit={(event) => void submit(event)}
          bar={
            <SaveBar
              wrong={countWrong(errors)}
              pending={busy}
              message={blocked}
              disabled={readOnly || blocked !== undefined}
              cancel={props.cancel ? { href: props.cancel } : undefined}
            />
          }
        >
          {readOnly ? <ReadOnlyNote>{messages.mayNotChange(capital(of.noun.one))}</ReadOnlyNote> : null}
          <ReadOnlyContext value={readOnly}>
            {typeof props.children === 'function' ? props.children(state) : props.children}
          </ReadOnlyContext>
        </FormBody>
        {guard.dialog}
      </FormProvider>
    </FormFactsContext.Provider>
  )
}
