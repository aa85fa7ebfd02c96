import { messages } from '@trunkline/contract/messages/general'
import type { ReactNode } from 'react'
import { FormProvider, useFormState, type FieldValues, type Path } from 'react-hook-form'
import { FieldRegistryContext, ReadOnlyContext, type FieldRegistry } from '../../fields/field-registry'
import { capitalize } from '../../lib/capitalize'
import { FormBody, SaveBar } from '../../ui/form/form-layout'
import { ReadOnlyNote } from '../../ui/form/read-only-note'
import { SectionList } from '../../ui/form/section-list'
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

interface UnsavedChangesProps<Values extends FieldValues> {
  recordForm: Pick<ReturnType<typeof useRecordForm<unknown, unknown, Values>>, 'form' | 'registry'>
  isNew: boolean
  children: (changedNames: readonly string[]) => ReactNode
}

/**
 * Renders what depends on the fields with unsaved changes. A new record has none: all of it is unsaved. It is a component of
 * its own, because the first key in a field would otherwise render the complete form again.
 */
const UnsavedChanges = <Values extends FieldValues>({
  recordForm: { form, registry },
  isNew,
  children,
}: UnsavedChangesProps<Values>) => {
  const { dirtyFields } = useFormState({ control: form.control })
  return children(isNew ? [] : findUnsavedFields(dirtyFields, [...registry.labels.keys()]))
}

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
  const errorFocus = useErrorFocus({ registry, isNew, onInvalid: props.onInvalid })
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
    formElement: errorFocus.formElement,
    focusErrors: errorFocus.focusErrors,
    allowLeaving: guard.allowLeaving,
    showGoneDialog: goneDialog.show,
  })
  const invalidFields = flattenErrors(errors)
  const saveBar = (
    <UnsavedChanges {...{ recordForm, isNew }}>
      {(changedNames) => (
        <SaveBar
          {...createChangeProps(recordForm, changedNames)}
          errorCount={Object.keys(invalidFields).length}
          onNextError={() => errorFocus.focusNextError(invalidFields)}
          pending={isSaving}
          message={blockReason}
          disabled={blockReason !== undefined}
          cancelPath={props.cancelPath}
        />
      )}
    </UnsavedChanges>
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
          renderSectionList={(list) => (
            <UnsavedChanges {...{ recordForm, isNew }}>
              {(changedNames) => (
                <SectionList {...list} marks={createSectionMarks(registry, Object.keys(invalidFields), changedNames)} />
              )}
            </UnsavedChanges>
          )}
          onSubmit={(event) => void submit(event)}
          onFocus={errorFocus.trackFocus}
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
