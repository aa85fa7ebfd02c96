import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/general'
import { useState } from 'react'
import { Problem, getErrorMessage } from '../../lib/problem'
import { landingPathOf } from '../../session/landing-path'
import { useActor } from '../../session/session'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { FailedState } from '../../ui/feedback/failed-state'
import { NotFoundView } from '../../ui/shell/not-found-view'
import { Page } from '../../ui/shell/page'
import { refreshAfterChange, type AnyResource } from '../record/record'

type Kind = Pick<AnyResource<never>, 'kind' | 'noun'>

interface Props {
  resource: Kind
  /** The list of this kind of record. Without it, the link leads to the landing page. */
  list: string | undefined
}

const useWayBack = ({ resource, list }: Props) => {
  const start = landingPathOf(useActor())
  return list ? { href: list, link: `Back to ${resource.noun.plural}` } : { href: start, link: 'Back to the start' }
}

interface RecordLoadErrorProps extends Props {
  title: string
  error: Error
  onRetry: () => void
  /** A retry is in progress. */
  pending: boolean
}

/** Replaces a form that failed to load its record: the record was deleted, or the user can retry. */
export const RecordLoadError = ({ title, error, onRetry, pending, ...props }: RecordLoadErrorProps) => {
  const way = useWayBack(props)
  if (error instanceof Problem && error.gone) return <NotFoundView title={title} message={error.msg} {...way} />
  return (
    <Page title={title}>
      <FailedState
        message={getErrorMessage(error)}
        text={`The ${props.resource.noun.singular} could not be loaded.`}
        onRetry={onRetry}
        pending={pending}
      />
    </Page>
  )
}

/** Shows a dialog if a record was deleted during editing. The user may stay on the page to read or copy the input. */
export const useGoneDialog = (props: Props & { letGo: () => void }) => {
  const [opened, setOpened] = useState(false)
  const router = useRouter()
  const cache = useQueryClient()
  const { href, link } = useWayBack(props)
  const leave = async () => {
    props.letGo()
    await router.navigate({ to: href })
    await refreshAfterChange(cache, props.resource.kind)
  }
  const dialog = (
    <ConfirmDialog
      opened={opened}
      title={`The ${props.resource.noun.singular} was not saved`}
      question={messages.recordGone}
      confirm={link}
      cancel="Stay"
      tone="primary"
      onConfirm={() => void leave()}
      onClose={() => setOpened(false)}
    />
  )
  return { dialog, tell: () => setOpened(true) }
}
