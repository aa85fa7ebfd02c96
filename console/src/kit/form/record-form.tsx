import { messages } from '@trunkline/contract/messages/general'
import { FormProvider, type FieldValues, type Path } from 'react-hook-form'
import { FieldRegistryContext, ReadOnlyContext, type FieldRegistry } from '../../fields/field-registry'
import { capitalize } from '../../lib/capitalize'
import { FormBody, SaveBar } from '../../ui/form/form-layout'
import { ReadOnlyNote } from '../../ui/form/read-only-note'
import { useCanEdit } from '../record/use-can-edit'
import type { FormState } from './form-props'
import { getFormHeading } from './form-title'
import { useLeaveGuard } from './leave-guard'
import { useGoneDialog } from './load-errors'
import { flattenErrors } from './resolver'
import { findUnsavedFields } from './unsaved-fields'
import { useUnsavedFormInput } from './use-unsaved-form-input'
import { useErrorFocus } from './use-error-focus'
import { useRecordForm, type RecordFormProps } from './use-record-form'
import { useRecordSave } from './use-record-save'

/** The titles of the sections that contain these fields, or rows of these lists. */
const findSections = ({ sections }: FieldRegistry, names: readonly string[]): ReadonlySet<string> => {
  const entries = [...sections]
  return new Set(
    names.flatMap((name) => entries.find(([field]) => field === name || field.startsWith(`${name}.`))?.[1] ?? []),
  )
}

const createSectionMarks = (
  registry: FieldRegistry,
  invalidNames: readonly string[],
  changedNames: readonly string[],
) => ({ invalid: findSections(registry, invalidNames), changed: findSections(registry, changedNames) })

/** The fields with unsaved changes. A new record has none: all of it is unsaved. */
const findChangedNames = <Values extends FieldValues>(
  {
    dirtyFields,
    registry,
  }: Pick<ReturnType<typeof useRecordForm<unknown, unknown, Values>>, 'dirtyFields' | 'registry'>,
  isNew: boolean,
) => (isNew ? [] : findUnsavedFields(dirtyFields, [...registry.labels.keys()]))

/** Describes the unsaved changes for the save bar. */
const createChangeProps = <Values extends FieldValues>(
  { form, registry }: Pick<ReturnType<typeof useRecordForm<unknown, unknown, Values>>, 'form' | 'registry'>,
  names: readonly string[],
) => {
  const [firstName] = names
  return {
    changeCount: names.length,
    changes: names.map((name) => registry.labels.get(name) ?? name).join(', '),
    onFirstChange: firstName === undefined ? undefined : () => form.setFocus(firstName as Path<Values>),
  }
}

/** The form of a loaded or new record. */
export const RecordForm = <Row, Loaded extends Row, Values extends FieldValues>(
  props: RecordFormProps<Row, Loaded, Values>,
) => {
  const { resource, sid, record, children } = props
  const isNew = sid === undefined
  const recordForm = useRecordForm(props)
  const { form, errors, isDirty, registry, initialValues, refill } = recordForm
  const { formElement, focusErrors, focusNextError, trackFocus } = useErrorFocus({
    registry,
    isNew,
    onInvalid: props.onInvalid,
  })
  const guard = useLeaveGuard(isDirty)
  const goneDialog = useGoneDialog({ resource, listPath: props.cancelPath, allowLeaving: guard.allowLeaving })
  const canEdit = useCanEdit(resource.kind, record)
  // users who may not add a record cannot open the add screen
  const readOnly = !isNew && !canEdit
  useUnsavedFormInput(form, { readOnly, isNew, getInitialValues: () => initialValues.current })
  const replaceInitialValues: FormState<Loaded, Values>['replaceInitialValues'] = (replace) =>
    refill(replace(initialValues.current), initialValues.current)
  const state: FormState<Loaded, Values> = { form, record, isNew, readOnly, replaceInitialValues }
  const blockReason = props.blockReason?.(state)
  const { submit, isSaving } = useRecordSave({
    props,
    recordForm,
    isBlocked: readOnly || blockReason !== undefined,
    formElement,
    focusErrors,
    allowLeaving: guard.allowLeaving,
    showGoneDialog: goneDialog.show,
  })
  const changedNames = findChangedNames(recordForm, isNew)
  const invalidFields = flattenErrors(errors)
  const saveBar = (
    <SaveBar
      {...(isNew ? {} : createChangeProps(recordForm, changedNames))}
      errorCount={Object.keys(invalidFields).length}
      onNextError={() => focusNextError(invalidFields)}
      pending={isSaving}
      message={blockReason}
      disabled={blockReason !== undefined}
      cancelPath={props.cancelPath}
    />
  )
  return (
    <FieldRegistryContext.Provider value={registry}>
      <FormProvider {...form}>
        <FormBody
          title={getFormHeading(props, readOnly)}
          requiredNote={readOnly ? undefined : messages.asterisk}
          readOnly={readOnly}
          actions={props.actions?.(state)}
          aside={props.aside?.(state)}
          sectionMarks={createSectionMarks(registry, Object.keys(invalidFields), changedNames)}
          onSubmit={(event) => void submit(event)}
          onFocus={trackFocus}
          saveBar={readOnly ? undefined : saveBar}
        >
          {readOnly ? (
            <ReadOnlyNote>
              {props.viewOnlyReason ?? messages.mayNotChange(capitalize(resource.noun.singular))}
            </ReadOnlyNote>
          ) : null}
          <ReadOnlyContext value={readOnly}>
            {typeof children === 'function' ? children(state) : children}
          </ReadOnlyContext>
        </FormBody>
        {guard.dialog}
        {goneDialog.dialog}
      </FormProvider>
    </FieldRegistryContext.Provider>
  )
}
