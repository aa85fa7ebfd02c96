import { splitRequestId } from '@trunkline/contract/messages/request-id'
import { CopyButton } from '../copy'
import css from './error-text.module.css'

/** The ID of a failed request, by which an operator finds it in the server's log. Absent if the message has none. */
export const RequestId = ({ message }: { message: string }) => {
  const { requestId } = splitRequestId(message)
  return requestId ? (
    <span className={css.line}>
      <span className={css.requestId} title={requestId}>
        Request ID {requestId}
      </span>
      <CopyButton text={requestId} label="Copy request ID" />
    </span>
  ) : null
}

/** An error message, with the ID of the failed request on a line of its own. */
export const ErrorText = ({ children }: { children: string }) => (
  <>
    <span>{splitRequestId(children).message}</span>
    <RequestId message={children} />
  </>
)
