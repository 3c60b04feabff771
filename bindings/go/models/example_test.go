// SPDX-License-Identifier: Apache-2.0

package models_test

import (
	"context"
	"fmt"
	"log"

	"dragoman"
	"dragoman/models"
)

// The body of this function is a program of README.md.

func ExampleDownload() {
	ctx := context.Background()
	offered, err := models.Search(ctx, "de", "en", nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, model := range offered.Models {
		fmt.Println(model.Name, model.License)
	}
	kept, err := models.Download(ctx, "firefox:de-en", &models.Options{Progress: func(at models.Progress) {
		log.Println(at.File, at.DoneBytes, "of", at.TotalBytes)
	}})
	if err != nil {
		log.Fatal(err)
	}
	model, err := dragoman.LoadModel(ctx, "firefox:de-en", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	fmt.Println(kept.Owner, len(kept.Files), model.Close())
	// Output:
	// firefox:de-en MPL-2.0
	// dragoman 3 <nil>
}
