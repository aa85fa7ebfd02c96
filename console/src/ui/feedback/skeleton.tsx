import css from './skeleton.module.css'

const lineWidthPercents = [32, 44, 28, 52, 36, 48]

/** The width of a label, for each field of a section. */
const labelWidthPercents = [32, 52, 28, 44]

/** Placeholder of a loading form: sections with labels and inputs. */
export const FieldSkeleton = () => (
  <div className={css.form} aria-hidden="true">
    {['first', 'second'].map((section) => (
      <div key={section} className={css.section}>
        <span className={css.line} />
        <div className={css.fields}>
          {labelWidthPercents.map((widthPercent) => (
            <div key={widthPercent}>
              <span className={css.line} style={{ width: `${widthPercent}%` }} />
              <span className={css.line} />
            </div>
          ))}
        </div>
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
