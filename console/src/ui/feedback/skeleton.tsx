import css from './skeleton.module.css'

const lineWidthPercents = [32, 44, 28, 52, 36, 48]

/** Placeholder of a loading form: labels and inputs. */
export const FieldSkeleton = () => (
  <div className={css.fields} aria-hidden="true">
    {lineWidthPercents.map((widthPercent) => (
      <div key={widthPercent}>
        <span className={css.line} style={{ width: `${widthPercent / 2}%` }} />
        <span className={css.line} />
      </div>
    ))}
  </div>
)

/** Placeholder of a loading list. */
export const RowSkeleton = () => (
  <div className={css.rows} aria-hidden="true">
    {[...lineWidthPercents, ...lineWidthPercents, ...lineWidthPercents].map((widthPercent, index) => (
      <div key={index}>
        <span className={css.line} style={{ width: `${widthPercent}%` }} />
      </div>
    ))}
  </div>
)
