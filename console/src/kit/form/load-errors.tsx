import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/general'
import { useState } from 'react'
import { Problem, getErrorMessage } from '../../lib/problem'
import { getLandingPath } from '../../session/landing-path'
import { useActor } from '../../session/session'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { FailedState } from '../../ui/feedback/failed-state'
import { NotFoundView } from '../../ui/shell/not-found-view'
import { ScreenLayout } from '../../ui/shell/screen-layout'
import { refreshAfterChange, type AnyResource } from '../record/record'

type NamedResource = Pick<AnyResource<never>, 'kind' | 'noun'>

/** The target of the link on an error screen. */
interface BackLinkProps {
  resource: NamedResource
  /** The list of this kind of record. Without it, the link leads to the landing screen. */
  listPath: string | undefined
}

const useBackLink = ({ resource, listPath }: BackLinkProps) => {
  const landingPath = getLandingPath(useActor())
  return listPath
    ? { href: listPath, linkLabel: `Back to ${resource.noun.plural}` }
    : { href: landingPath, linkLabel: 'Back to the start screen' }
}

interface RecordLoadErrorProps extends BackLinkProps {
  title: string
  error: Error
  onRetry: () => void
  /** A retry is in progress. */
  pending: boolean
}

/** Replaces a form that failed to load its record: the record was deleted, or the user can retry. */
export const RecordLoadError = ({ title, error, onRetry, pending, ...props }: RecordLoadErrorProps) => {
  const backLink = useBackLink(props)
  if (error instanceof Problem && error.isGone) return <NotFoundView title={title} message={error.msg} {...backLink} />
  return (
    <ScreenLayout title={title}>
      <FailedState
        message={getErrorMessage(error)}
        text={`The ${props.resource.noun.singular} could not be loaded.`}
        onRetry={onRetry}
        pending={pending}
      />
    </ScreenLayout>
  )
}

/** Shows a dialog if a record was deleted during editing. The user may stay on the screen to read or copy the input. */
export const useGoneDialog = (props: BackLinkProps & { allowLeaving: () => void }) => {
  const [opened, setOpened] = useState(false)
  const router = useRouter()
  const cache = useQueryClient()
  const { href, linkLabel } = useBackLink(props)
  const leaveScreen = async () => {
    props.allowLeaving()
    await router.navigate({ to: href })
    await refreshAfterChange(cache, props.resource.kind)
  }
  const dialog = (
    <ConfirmDialog
      opened={opened}
      title={`The ${props.resource.noun.singular} was not saved`}
      question={messages.recordGone}
      confirmLabel={linkLabel}
      cancelLabel="Stay"
      tone="primary"
      onConfirm={() => void leaveScreen()}
      onClose={() => setOpened(false)}
    />
  )
  return { dialog, show: () => setOpened(true) }
}
